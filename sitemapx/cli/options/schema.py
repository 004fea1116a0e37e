"""JSON Schema of the settings file, from the tables and options that validate it."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from sitemapx.cli.options.settings import ConfiguredCommand
from sitemapx.cli.options.types import Choice
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.settings import ENGINE_KEYS, KEYS, MOST, PERCENTAGE, SCHEMA_URL, Key

_Schema = dict[str, Any]
_TEXT: _Schema = {"type": "string", "minLength": 1}
#: Schemas of single values, by the kind of a `Key`.
_KINDS: Mapping[str, _Schema] = {
    "text": _TEXT,
    "path": _TEXT,
    "url": _TEXT | {"format": "iri"},
    "number": {"type": "integer", "minimum": 1, "maximum": MOST},
    "share": {
        "anyOf": [
            {"type": "integer", "minimum": 0, "maximum": MOST},
            {"type": "string", "pattern": f"^{PERCENTAGE}$"},
        ]
    },
}


def settings_schema(commands: Iterable[ConfiguredCommand]) -> _Schema:
    """Return the JSON Schema of the settings file, in draft 7, which editors support."""
    engines = [engine.about for engine in all_engines() if engine.about.status != "retired"]
    tables = {
        about.name: _table(
            _properties(ENGINE_KEYS)
            | {name: {"description": text, **_TEXT} for name, text in about.options.items()}
            | {"send": _or_list({"enum": list(about.takes)}, ENGINE_KEYS["send"].about)},
            about.title,
        )
        for about in engines
    }
    settable: _Schema = {}
    jobs: _Schema = {}
    for command in commands:
        name = str(command.name)
        about = f"options of `sitemapx {name}`"
        settable[name] = _table(
            {key: _parameter_schema(param) for key, param in command.settable().items()}, about
        )
        if command.has_jobs:
            jobs[name] = settable[name]
            settable[name] = _or_list({"$ref": f"#/definitions/{name}"}, about)
    engine_table = {"type": "object", "properties": tables, "description": "search engines"}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": SCHEMA_URL,
        "title": "sitemapx.toml",
        **_table(_properties(KEYS) | settable | {"engines": engine_table}, "Settings of sitemapx"),
        "definitions": jobs,
    }


def _table(properties: _Schema, about: str) -> _Schema:
    return {
        "type": "object",
        "description": about,
        "properties": properties,
        "additionalProperties": False,
    }


def _properties(keys: Mapping[str, Key]) -> _Schema:
    return {name: _key_schema(key) for name, key in keys.items()}


def _key_schema(key: Key) -> _Schema:
    if key.kind in _KINDS:
        return {"description": key.about, **_KINDS[key.kind]}
    return _or_list(_KINDS[key.kind.removesuffix("s")], key.about)


def _or_list(element: _Schema, about: str) -> _Schema:
    several = {"type": "array", "items": element, "minItems": 1}
    return {"description": about, "anyOf": [element, several]}


def _parameter_schema(param: click.Parameter) -> _Schema:
    about = str(getattr(param, "help", None) or "files, directories, URLs or hosts to read")
    if isinstance(param, click.Option) and param.is_flag:
        return {"description": about, "type": "boolean"}
    element = _value_schema(param)
    several = {"type": "array", "items": element}
    choices = [element, several] if param.multiple or param.nargs == -1 else [element]
    if values := getattr(param.type, "table_values", None):
        choices.append({"type": "object", "additionalProperties": values})
    return {"description": about, **(choices[0] if len(choices) == 1 else {"anyOf": choices})}


def _value_schema(param: click.Parameter) -> _Schema:
    """Return the schema of a single value; numbers may be texts, as on the command line."""
    if isinstance(param.type, Choice):
        return {"enum": param.type.choices}
    if isinstance(param, click.Argument):
        return {"type": "string"}
    if isinstance(param.type, click.IntRange):
        return {"type": ["integer", "string"], "minimum": param.type.min}
    return {"type": ["string", "number"]}
