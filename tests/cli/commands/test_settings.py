"""The command `settings`, and the JSON Schema of the settings file."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sitemapx.submit.settings import KEYS, SCHEMA_URL
from tests.conftest import Run

ROOT = Path(__file__).parents[3]
SCHEMA = ROOT / "docs" / "sitemapx.schema.json"
DEFINITIONS = json.loads(SCHEMA.read_text())["definitions"]
_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
}


def is_valid(value: Any, schema: dict[str, Any]) -> bool:
    """Return whether a value matches a schema with the keywords that sitemapx uses."""
    if reference := schema.get("$ref"):
        return is_valid(value, DEFINITIONS[reference.removeprefix("#/definitions/")])
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    return (
        (not types or any(_TYPES[name](value) for name in types))
        and ("anyOf" not in schema or any(is_valid(value, one) for one in schema["anyOf"]))
        and ("enum" not in schema or value in schema["enum"])
        and (not isinstance(value, str) or len(value) >= schema.get("minLength", 0))
        and (not isinstance(value, str) or bool(re.search(schema.get("pattern", ""), value)))
        and (not isinstance(value, int) or value >= schema.get("minimum", value))
        and (not isinstance(value, int) or value <= schema.get("maximum", value))
        and (not isinstance(value, list) or len(value) >= schema.get("minItems", 0))
        and (
            not isinstance(value, list) or all(is_valid(e, schema.get("items", {})) for e in value)
        )
        and (
            not isinstance(value, dict)
            or all(
                is_valid(one, properties[key])
                if key in properties
                else others is True or (isinstance(others, dict) and is_valid(one, others))
                for key, one in value.items()
            )
        )
    )


def test_schema_is_up_to_date(sitemapx: Run, pytestconfig: pytest.Config) -> None:
    """Update with `pytest --update-docs`."""
    done = sitemapx("settings", "--schema")
    if pytestconfig.getoption("--update-docs"):
        SCHEMA.write_bytes(done.stdout)

    assert 0 == done.returncode
    assert done.stdout == SCHEMA.read_bytes()


def test_schema_has_every_setting_and_is_named_by_init(sitemapx: Run, tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text())
    properties = schema["properties"]
    sitemapx("init", "--site", "https://e.example/", cwd=tmp_path)
    text = (tmp_path / "sitemapx.toml").read_text()

    assert {*KEYS, "engines", "convert", "check", "submit"} == properties.keys()
    assert {"sources", "severity", "per-file-ignores"} <= properties["check"]["properties"].keys()
    assert {"sources", "output", "head"} <= DEFINITIONS["convert"]["properties"].keys()
    assert f"#:schema {SCHEMA_URL}" == text.splitlines()[0]
    assert SCHEMA_URL == schema["$id"]
    assert is_valid(tomllib.loads(text), schema)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ('site = "https://e.example/"\nmax-removed = "10%"\nprobe = 3', True),
        ('site = ""', False),
        ('max-removed = "10 URLs"', False),
        ("probe = 0", False),
        ('sitemaps = "s.xml"', True),
        ("sitemaps = []", False),
        ("sitemap = []", False),
        ('[check]\nfail-on = "warning"\nselect = ["bad-*"]\nfix = true', True),
        ('[check]\nfail-on = "loud"', False),
        ('[check]\nfix = "yes"', False),
        ('[check.severity]\nbad-date = "note"', True),
        ('[check.severity]\nbad-date = "loud"', False),
        ('[check.per-file-ignores]\n"*.xml" = ["bad-*"]', True),
        ('[convert]\nsources = ["public"]\nlimit = 10', True),
        ("[convert]\nsources = 5", False),
        ("[convert]\nlimit = 0", False),
        ('[[convert]]\noutput = "a.xml"\n[[convert]]\noutput = "b.xml"', True),
        ('[[convert]]\noutput = "a.xml"\n[[convert]]\noutput = "b.xml"\nlimit = 0', False),
        ("[[check]]\nfix = true", False),
        ('[engines.bing]\nsend = ["urls"]\nbatch = 100', True),
        ('[engines.bing]\nsend = ["feeds"]', False),
        ("[engines.bing]\nkey = 1", False),
    ],
)
def test_schema_accepts_what_the_command_accepts(
    text: str, accepted: bool, sitemapx: Run, tmp_path: Path
) -> None:
    (tmp_path / "sitemapx.toml").write_text(text)
    done = sitemapx("settings", cwd=tmp_path)

    assert (done.returncode == 0) == accepted
    assert is_valid(tomllib.loads(text), json.loads(SCHEMA.read_text())) == accepted
