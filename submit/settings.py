"""
Settings in `sitemapx.toml`: a site and the search engines to notify.

Validation and the file that `sitemapx init` writes are derived from `KEYS` and `ENGINE_KEYS`.
The format is TOML: https://toml.io/en/v1.0.0
"""

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sitemapx.convert.values import uris, urls
from sitemapx.errors import UsageError
from sitemapx.settingsfile import FILE_NAME, SettingsFile, unknown_key_message
from sitemapx.submit.engines.engine import EngineInfo, ItemKind
from sitemapx.submit.engines.registry import engine_by_name

#: Tables with options of commands, which are read elsewhere.
_COMMANDS = ("check", "convert", "submit")
_has_control = re.compile(r"[\x00-\x1f\x7f]").search
#: Largest number in settings, well within the integers of SQLite.
MOST = 1_000_000_000
#: Regular expression of a percentage.
PERCENTAGE = r"[0-9]{1,3}(\.[0-9]{1,3})?%"
_is_percentage = re.compile(PERCENTAGE).fullmatch
#: URL of the JSON Schema of the file, for editors.
SCHEMA_URL = "https://sitemapx.github.io/sitemapx/sitemapx.schema.json"
_NOUNS = {
    "text": "a non-empty string",
    "url": "an absolute http(s) URL without a user name, as a string",
    "path": "a path, as a non-empty string",
    "number": "an integer from 1 to 1,000,000,000",
    "share": 'a number of URLs, or a percentage as a string such as "10%"',
    "texts": "a non-empty string, or a list of non-empty strings",
    "urls": "an absolute http(s) URL without a user name, or a list of at least one",
    "paths": "a path or URL as a non-empty string, or a list of them",
}


class RemovalLimit(NamedTuple):
    """
    Maximum number and percentage of a set's URLs that may be submitted as removed in a run.

    If any set exceeds both, no URLs are submitted as removed.
    """

    urls: int = 0
    percent: float = 0.0


DEFAULT_LIMIT = RemovalLimit(urls=5, percent=10.0)


class Key(NamedTuple):
    """
    A key of the settings file.

    Attributes:
        kind: Type of the value: text, url, path, number or share; a plural also accepts a list.
        about: Description, without a full stop.
        example: Example value, in TOML.

    """

    kind: str
    about: str
    example: str


KEYS = {
    "site": Key("url", "root URL of the site", '"https://example.com/"'),
    "root": Key("path", "directory that is published at this URL", '"public"'),
    "sitemaps": Key("paths", "sitemaps, feeds and lists to submit", '["sitemap.xml"]'),
    "robots": Key("path", "robots.txt to add Sitemap lines to", '"public/robots.txt"'),
    "journal": Key("path", "submission journal (SQLite)", '"/var/lib/sitemapx/journal.sqlite3"'),
    "probe": Key("number", "number of pages to probe before anything is sent", "3"),
    "max-removed": Key(
        "share",
        "maximum number or percentage of a sitemap's URLs that may disappear at once; by default, "
        f"{DEFAULT_LIMIT.urls} URLs or {DEFAULT_LIMIT.percent:.0f} %, whichever is more",
        '"10%"',
    ),
}
ENGINE_KEYS = {
    "endpoint": Key("urls", "URL for requests, in place of the default", '"https://…"'),
    "secret": Key(
        "text", "where the secret is, if not in its environment variable", '"file:~/.secret"'
    ),
    "send": Key("texts", "what to send, if not everything it accepts", '["urls", "sitemaps"]'),
    "batch": Key("number", "maximum number of URLs per request", "1000"),
}


@dataclass(frozen=True, kw_only=True)
class EngineSettings:
    """Settings of a search engine; see `ENGINE_KEYS`."""

    endpoints: tuple[str, ...] = ()
    secret: str | None = None
    kinds: tuple[ItemKind, ...] = ()
    batch: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """
    Settings from a file; see `KEYS`. Paths are absolute or relative to the current directory.

    Attributes:
        site: URL of the root of the site, with a trailing slash.
        root: Path of the directory that is published at `site`.
        sitemaps: Paths or URLs of the sitemaps, feeds and lists to submit.
        robots: Path of the robots.txt.
        journal: Path of the journal of submissions.
        probe: Number of pages to request before anything is submitted.
        max_removed: Limit of the URLs that may disappear at once.
        engines: Settings of search engines, by name.
        engine_names: Names of the search engines that have a table.
        path: Path of the file, even if it does not exist.

    """

    site: str | None = None
    root: str | None = None
    sitemaps: tuple[str, ...] = ()
    robots: str | None = None
    journal: str | None = None
    probe: int = 0
    max_removed: RemovalLimit = DEFAULT_LIMIT
    engines: Mapping[str, EngineSettings] = field(default_factory=dict)
    engine_names: tuple[str, ...] = ()
    path: str = FILE_NAME

    def engine_settings(self, engine: str) -> EngineSettings:
        """Return the settings of a search engine, or the defaults if the file has none."""
        return self.engines.get(engine, EngineSettings())

    def with_endpoints(self, endpoints: Sequence[tuple[str, str]]) -> "Settings":
        """
        Return a copy in which search engines have other endpoints.

        Args:
            endpoints: Pairs of the name of a search engine and a URL, in order of preference.

        Raises:
            UsageError: If a search engine is unknown or retired.

        """
        engines = dict(self.engines)
        for name in dict.fromkeys(name for name, _ in endpoints):
            engine_by_name(name)
            given = tuple(url for other, url in endpoints if other == name)
            engines[name] = replace(self.engine_settings(name), endpoints=given)
        return replace(self, engines=engines)


def load_settings(path: str | None) -> Settings:
    """
    Load a settings file.

    Args:
        path: Path of the file; None for `sitemapx.toml` in the current directory, else
            `pyproject.toml` (table `[tool.sitemapx]`), else the defaults.

    Raises:
        UsageError: If the file cannot be read, or a setting is invalid (with the line).

    """
    file = SettingsFile.load(path)
    return settings_of(file) if file else Settings()


def settings_of(file: SettingsFile) -> Settings:
    """Convert a settings file; raise `UsageError` with the line of an invalid setting."""
    return _SettingsParser(file).settings()


class _SettingsParser:
    def __init__(self, file: SettingsFile) -> None:
        self._file = file

    def settings(self) -> Settings:
        found = {name: value for name, value in self._file.values.items() if name not in _COMMANDS}
        tables = found.pop("engines", {})
        if not isinstance(tables, dict):
            raise self._file.error(
                "engines", "expected a table for each search engine; write [engines.indexnow]"
            )
        values = self._validate(found, KEYS, "", "engines", *_COMMANDS)
        if "max-removed" in values:
            values["max_removed"] = values.pop("max-removed")
        if isinstance(values.get("site"), str):
            values["site"] = values["site"].rstrip("/") + "/"
        engines = {name: self._engine(name, table) for name, table in tables.items()}
        known = Settings(engines=engines, engine_names=tuple(engines), path=self._file.path)
        return replace(known, **values)

    def _engine(self, name: str, table: Any) -> EngineSettings:
        if not isinstance(table, dict):
            message = f"expected a table for {name}; write [engines.{name}]"
            raise self._file.error(name, message, "engines")
        try:
            about = engine_by_name(name).about
        except UsageError as error:
            raise self._file.error(name, str(error), "engines") from error
        options = {option: Key("text", message, "") for option, message in about.options.items()}
        values = self._validate(table, ENGINE_KEYS | options, f"engines.{name}")
        if unknown := set(values.get("send", ())) - set(about.takes):
            message = f"{name} does not accept {min(unknown)}: expected {', '.join(about.takes)}"
            raise self._file.error("send", message, f"engines.{name}")
        return EngineSettings(
            endpoints=values.pop("endpoint", ()),
            secret=self._secret(values.pop("secret", None), f"engines.{name}"),
            kinds=values.pop("send", ()),
            batch=values.pop("batch", None),
            options=values,
        )

    def _secret(self, reference: str | None, table: str) -> str | None:
        """
        Validate a reference to a secret, if any; a path becomes relative to the current directory.

        The message of the error does not show the value, which may be the secret itself.
        """
        kind, _, place = (reference or "").partition(":")
        if reference and (not place.strip() or kind not in ("env", "file", "keyring")):
            message = "expected where the secret is, not the secret itself: env:NAME, file:PATH or"
            raise self._file.error("secret", f"{message} keyring:SERVICE/USER", table)
        return (
            f"file:{self._file.beside(os.path.expanduser(place))}" if kind == "file" else reference
        )

    def _validate(
        self, found: dict[str, Any], keys: Mapping[str, Key], table: str, *more: str
    ) -> dict[str, Any]:
        """Validate and convert the values of a table; `more` are other names to suggest."""
        for name in found:
            if name not in keys:
                message = unknown_key_message(name, [*keys, *more], table)
                raise self._file.error(name, message, table)
        return {
            name: self._value(name, value, keys[name].kind, table) for name, value in found.items()
        }

    def _value(self, name: str, value: Any, kind: str, table: str) -> Any:
        if kind.endswith("s") and isinstance(value, str):
            value = [value]
        all_of = value if kind.endswith("s") and isinstance(value, list) else [value]
        is_right = bool(all_of) and all(
            _is_valid(value, kind.removesuffix("s")) for value in all_of
        )
        if not is_right:
            raise self._file.error(name, f"invalid {name}: expected {_NOUNS[kind]}", table)
        made: dict[str, Callable[[Any], Any]] = {
            "path": lambda path: self._file.beside(os.path.expanduser(path)),
            "paths": lambda paths: tuple(map(self._file.beside, paths)),
            "texts": tuple,
            "urls": tuple,
            "share": _limit,
        }
        return made[kind](value) if kind in made else value


def _is_valid(value: Any, kind: str) -> bool:
    if kind == "share" and isinstance(value, str):
        return bool(_is_percentage(value)) and float(value.rstrip("%")) <= 100
    if kind in ("number", "share"):
        least = 1 if kind == "number" else 0
        return type(value) is int and least <= value <= MOST
    if not isinstance(value, str) or not value.strip() or _has_control(value):
        return False
    return kind != "url" or (uris.to_uri(value) is not None and urls.without_user(value) == value)


def _limit(value: int | str) -> RemovalLimit:
    if isinstance(value, int):
        return RemovalLimit(urls=value)
    return RemovalLimit(percent=float(value.rstrip("%")))


def settings_text(values: Mapping[str, Any], engines: Sequence[EngineInfo]) -> str:
    """
    Return the text of a settings file with tables for `engines`.

    Keys of `KEYS` without a value, or with None, become commented-out examples.
    """
    lines = [
        f"#:schema {SCHEMA_URL}",
        "# What `sitemapx submit` sends, and where to. Paths are relative to this file.",
        "",
    ]
    for name, key in KEYS.items():
        known = values.get(name)
        value = key.example if known is None else json.dumps(known, ensure_ascii=False)
        comment = "# " if known is None else ""
        lines += [f"# {key.about}", f"{comment}{name} = {value}", ""]
    where = "https://sitemapx.github.io/sitemapx/submit.html"
    lines += [f"# Each table may also set {', '.join(ENGINE_KEYS)}; see {where}."]
    for about in engines:
        lines += [f"[engines.{about.name}]", f"# {about.title}: {about.limits}"]
        lines += [f"# {about.note}"] if about.note else []
        secret = ENGINE_KEYS["secret"].example
        lines += [f"# requires {name}, or here: secret = {secret}" for name in about.secrets]
        lines += [f"# {name} = …  # {message}" for name, message in about.options.items()]
        lines += [""]
    return "\n".join(lines)
