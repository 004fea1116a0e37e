"""
Options of the data sources, named like those of the command line.

Spark hands them over as texts, without regard to case. Several values of one option are a JSON
list, as in Spark's own `paths`.
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


class ReaderOptions(NamedTuple):
    """
    Options for reading.

    Attributes:
        paths: Paths of files, folders or patterns, on disk or in storage, and http(s) URLs.
        format: Name of the format; None to detect it.
        columns: Names of the columns.
        source_url: Public URL of the source; relative URLs are resolved against it, and an index
            finds the files that it lists in its own directory.
        follow_index: Whether to read what an index lists: True, False for the index itself, or None
            to read it only if the index is given by its own path.
        include: Patterns of the URLs that are kept; empty for all.
        exclude: Patterns of the URLs that are skipped.
        since: Date or age; entries that have not changed since are skipped.
        mode: "PERMISSIVE" to keep what can be read of damaged sources, or "FAILFAST".
        partition_bytes: Size of the files that are read by one task, together; 0 to choose.
        fetch: Whether to fetch what an index in storage lists, if it is not found there.
        user_agent: `User-Agent` header; None for the default.
        timeout: Seconds to wait for a connection and for data; None for the default.
        delay: Seconds between two requests to a host; None for what its robots.txt asks.
        allow_private: Whether to allow private and loopback addresses.

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
    def of(cls, options: Mapping[str, str]) -> "ReaderOptions":
        """
        Read the options that Spark hands over.

        Raises:
            UsageError: If one is unknown or invalid, or there is no path.

        """
        paths = _paths(options)
        if not paths:
            raise UsageError('no path: pass one to load(), such as load("s3://bucket/*.xml.gz")')
        values = _values(options, _READING)
        if values.pop("with_source", False) and "source" not in values.get("columns", ["source"]):
            values["columns"] = (*values["columns"], "source")
        read = cls(paths, **values)
        read.steps()  # refuses invalid patterns and dates
        return read

    def steps(self) -> list[Step]:
        """Return the filters, in the order of the command line."""
        steps = []
        if self.include:
            steps.append(include(self.include))
        if self.exclude:
            steps.append(exclude(self.exclude))
        if self.since:
            steps.append(since(self.since))
        return steps

    def fetcher(self) -> Fetcher:
        """Return what fetches URLs."""
        values = {name: getattr(self, name) for name in ("user_agent", "timeout", "delay")}
        given = {name: value for name, value in values.items() if value is not None}
        return Fetcher(allow_private=self.allow_private, **given)


class WriterOptions(NamedTuple):
    """
    Options for writing.

    Attributes:
        folder: Path of the directory, on disk or in storage.
        base_url: Public URL of the directory.
        name: Name of the index, without its extension; the files that it lists begin with it.
        compress: Whether to compress all files with gzip.
        max_urls: Maximum number of URLs per file; 0 for that of the format.
        max_bytes: Maximum size of a file in bytes, uncompressed; 0 for that of the format.
        strict: Whether to write nothing if anything would be lost.

    """

    folder: str
    base_url: str
    name: str = "sitemap"
    compress: bool = False
    max_urls: int = 0
    max_bytes: int = 0
    strict: bool = False

    @classmethod
    def of(cls, options: Mapping[str, str]) -> "WriterOptions":
        """
        Read the options that Spark hands over.

        Raises:
            UsageError: If one is unknown, invalid or missing.

        """
        paths = _paths(options)
        if len(paths) != 1:
            raise UsageError('pass the path of one directory to save(): save("s3://bucket/public")')
        values = _values(options, _WRITING)
        if "base_url" not in values:
            message = (
                "an index lists its sitemaps by their public URLs: pass the URL of the directory"
            )
            raise UsageError(f'{message}, such as option("baseUrl", "https://example.com/")')
        return cls(paths[0], **values)


class _Option(NamedTuple):
    """The field of an option, and the function that reads its text; ValueError for a wrong one."""

    field: str
    parse: Callable[[str], Any] = str


def _values(options: Mapping[str, str], known: Mapping[str, _Option]) -> dict[str, Any]:
    """Read options by a table."""
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


_PATHS = ("path", "paths")


def _paths(options: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(path for name in _PATHS if name in options for path in _list(options[name]))


def _list(text: str) -> tuple[str, ...]:
    """Read a JSON list, or a single value."""
    if not text.startswith("["):
        return (text,)
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        return (text,)  # a pattern may begin with a bracket
    return tuple(map(str, values))


def _patterns(text: str) -> tuple[str, ...]:
    patterns = _list(text)
    if not all(patterns) or patterns[0].startswith("["):  # as no URL does
        raise ValueError(f"expected a pattern, or a list of patterns in JSON, not {text!r}")
    return patterns


def _columns(text: str) -> tuple[str, ...]:
    names = _list(text) if text.startswith("[") else text.split(",")
    return check_columns(name.strip() for name in names if name.strip())


def _flag(text: str) -> bool:
    known = {"true": True, "false": False}
    if text.lower() not in known:
        raise ValueError(f"expected true or false, not {text!r}")
    return known[text.lower()]


def _mode(text: str) -> str:
    if text.upper() not in (known := ("PERMISSIVE", "FAILFAST")):
        raise ValueError(f"expected {' or '.join(known)}, not {text!r}")
    return text.upper()


def _format(text: str) -> str:
    return by_name(text).name


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"expected a whole number above 0, not {text!r}")
    return int(text)


def _name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", text):
        raise ValueError(f"expected letters, digits, '-' and '_', not {text!r}")
    return text


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) < inf:
            return seconds
    raise ValueError(f"expected a number of seconds, not {text!r}")


_READING = {
    "from": _Option("format", _format),
    "columns": _Option("columns", _columns),
    "withSource": _Option("with_source", _flag),
    "sourceUrl": _Option("source_url"),
    "followIndex": _Option("follow_index", _flag),
    "include": _Option("include", _patterns),
    "exclude": _Option("exclude", _patterns),
    "since": _Option("since"),
    "mode": _Option("mode", _mode),
    "partitionBytes": _Option("partition_bytes", _count),
    "fetch": _Option("fetch", _flag),
    "userAgent": _Option("user_agent"),
    "timeout": _Option("timeout", _seconds),
    "delay": _Option("delay", _seconds),
    "allowPrivate": _Option("allow_private", _flag),
}
_WRITING = {
    "baseUrl": _Option("base_url"),
    "name": _Option("name", _name),
    "compress": _Option("compress", _flag),
    "maxUrls": _Option("max_urls", _count),
    "maxBytes": _Option("max_bytes", _count),
    "strict": _Option("strict", _flag),
}
#: Parameters of the library whose options have another name than theirs.
_OTHERS = {"format": "from", "url": "sourceUrl", "fetches": "fetch", "follows": "followIndex"}


def spark_name(parameter: str, value: str) -> str:
    """
    Return a parameter as the option of a data source, for messages.

    >>> spark_name("base_url", "")
    "option('baseUrl')"

    """
    first, *rest = parameter.split("_")
    name = _OTHERS.get(parameter, first + "".join(map(str.title, rest)))
    return f"option({name!r}, {value!r})" if value else f"option({name!r})"
