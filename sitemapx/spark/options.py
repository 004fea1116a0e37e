"""
Options of the data sources, named like those of the command line.

Spark passes options as strings, with case-insensitive names. Several values of an option are passed
as a JSON list, as in Spark's own `paths`.
"""

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from typing import Any, Literal, NamedTuple

from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.tabular import COLUMNS, check_columns
from sitemapx.convert.steps.public import exclude, include, since
from sitemapx.convert.steps.step import Step
from sitemapx.errors import UnknownNameError, UsageError

Mode = Literal["PERMISSIVE", "FAILFAST"]
_PATHS = ("path", "paths")


class ReaderOptions(NamedTuple):
    """
    Options for reading, described in docs/spark.md.

    Attributes:
        follow_index: Whether to read the sitemaps of an index; None to read them unless the path
            of the index also leads to other files.
        partition_bytes: Maximum bytes per task; see `group_files`.
        fetch: Whether to fetch sitemaps of an index in storage that are not found there.
        timeout: Connect and read timeout in seconds; None for the default.
        delay: Seconds between two requests to a host; None for the delay in the robots.txt of the
            host.

    """

    paths: tuple[str, ...]
    format: str | None = None
    columns: tuple[str, ...] = COLUMNS
    source_url: str | None = None
    follow_index: bool | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    since: str | None = None
    mode: Mode = "PERMISSIVE"
    partition_bytes: int = 0
    fetch: bool = False
    user_agent: str | None = None
    timeout: float | None = None
    delay: float | None = None
    allow_private: bool = False

    @classmethod
    def parse(cls, options: Mapping[str, str]) -> "ReaderOptions":
        """Parse the options passed by Spark; raise UsageError for invalid or missing ones."""
        paths = _parse_paths(options)
        if not paths:
            raise UsageError('no path: pass one to load(), such as load("s3://bucket/*.xml.gz")')
        values = _parse_options(options, _READER_OPTIONS)
        if values.pop("with_source", False) and "source" not in values.get("columns", ["source"]):
            values["columns"] = (*values["columns"], "source")
        parsed = cls(paths, **values)
        parsed.build_steps()  # raises UsageError for invalid patterns and dates
        return parsed

    def build_steps(self) -> list[Step]:
        steps = []
        if self.include:
            steps.append(include(self.include))
        if self.exclude:
            steps.append(exclude(self.exclude))
        if self.since:
            steps.append(since(self.since))
        return steps

    def build_fetcher(self) -> Fetcher:
        values = {name: getattr(self, name) for name in ("user_agent", "timeout", "delay")}
        given = {name: value for name, value in values.items() if value is not None}
        return Fetcher(allow_private=self.allow_private, **given)


class WriterOptions(NamedTuple):
    """Options for writing, described in docs/spark.md; a maximum of 0 is that of the format."""

    folder: str
    base_url: str
    name: str = "sitemap"
    compress: bool = False
    max_urls: int = 0
    max_bytes: int = 0
    strict: bool = False

    @classmethod
    def parse(cls, options: Mapping[str, str]) -> "WriterOptions":
        """Parse the options passed by Spark; raise UsageError for invalid or missing ones."""
        paths = _parse_paths(options)
        if len(paths) != 1:
            raise UsageError('pass the path of one directory to save(): save("s3://bucket/public")')
        values = _parse_options(options, _WRITER_OPTIONS)
        if "base_url" not in values:
            message = (
                "an index lists its sitemaps by their public URLs: pass the URL of the directory"
            )
            raise UsageError(f'{message}, such as option("baseUrl", "https://example.com/")')
        return cls(paths[0], **values)


class _Option(NamedTuple):
    """Field that an option sets, and the parser of its text, which may raise ValueError."""

    field: str
    parse: Callable[[str], Any] = str


def _parse_options(options: Mapping[str, str], known: Mapping[str, _Option]) -> dict[str, Any]:
    by_key = {name.lower(): name for name in known}
    values: dict[str, Any] = {}
    for key, text in options.items():
        if key.lower() in _PATHS:
            continue
        name = by_key.get(key.lower())
        if name is None:
            raise UnknownNameError("option", key, known)
        try:
            values[known[name].field] = known[name].parse(text)
        except UnknownNameError:
            raise
        except ValueError as error:
            raise UsageError(f"option {name}: {error}") from error
    return values


def _parse_paths(options: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(path for name in _PATHS if name in options for path in _parse_list(options[name]))


def _parse_list(text: str) -> tuple[str, ...]:
    """Parse a JSON list, or a single value."""
    if not text.startswith("["):
        return (text,)
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        return (text,)  # a pattern may begin with a bracket
    return tuple(map(str, values))


def _parse_patterns(text: str) -> tuple[str, ...]:
    patterns = _parse_list(text)
    if not all(patterns) or patterns[0].startswith("["):  # invalid JSON
        raise ValueError(f"expected a pattern, or a list of patterns in JSON, not {text!r}")
    return patterns


def _parse_columns(text: str) -> tuple[str, ...]:
    names = _parse_list(text) if text.startswith("[") else text.split(",")
    return check_columns(name.strip() for name in names if name.strip())


def _parse_flag(text: str) -> bool:
    known = {"true": True, "false": False}
    if text.lower() not in known:
        raise ValueError(f"expected true or false, not {text!r}")
    return known[text.lower()]


def _parse_mode(text: str) -> str:
    if text.upper() not in (known := ("PERMISSIVE", "FAILFAST")):
        raise ValueError(f"expected {' or '.join(known)}, not {text!r}")
    return text.upper()


def _parse_format(text: str) -> str:
    return by_name(text).name


def _parse_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"expected a whole number above 0, not {text!r}")
    return int(text)


def _parse_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", text):
        raise ValueError(f"expected letters, digits, '-' and '_', not {text!r}")
    return text


def _parse_seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) < inf:
            return seconds
    raise ValueError(f"expected a number of seconds, not {text!r}")


_READER_OPTIONS = {
    "from": _Option("format", _parse_format),
    "columns": _Option("columns", _parse_columns),
    "withSource": _Option("with_source", _parse_flag),
    "sourceUrl": _Option("source_url"),
    "followIndex": _Option("follow_index", _parse_flag),
    "include": _Option("include", _parse_patterns),
    "exclude": _Option("exclude", _parse_patterns),
    "since": _Option("since"),
    "mode": _Option("mode", _parse_mode),
    "partitionBytes": _Option("partition_bytes", _parse_count),
    "fetch": _Option("fetch", _parse_flag),
    "userAgent": _Option("user_agent"),
    "timeout": _Option("timeout", _parse_seconds),
    "delay": _Option("delay", _parse_seconds),
    "allowPrivate": _Option("allow_private", _parse_flag),
}
_WRITER_OPTIONS = {
    "baseUrl": _Option("base_url"),
    "name": _Option("name", _parse_name),
    "compress": _Option("compress", _parse_flag),
    "maxUrls": _Option("max_urls", _parse_count),
    "maxBytes": _Option("max_bytes", _parse_count),
    "strict": _Option("strict", _parse_flag),
}
#: Options whose names differ from those of the library's parameters.
_RENAMED = {"format": "from", "url": "sourceUrl", "fetches": "fetch", "follows": "followIndex"}


def spark_name(parameter: str, value: str) -> str:
    """
    Convert the name of a parameter to the option of a data source, for messages.

    >>> spark_name("base_url", "")
    "option('baseUrl')"
    """
    first, *rest = parameter.split("_")
    name = _RENAMED.get(parameter, first + "".join(map(str.title, rest)))
    return f"option({name!r}, {value!r})" if value else f"option({name!r})"
