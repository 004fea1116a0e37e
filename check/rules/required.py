"""
URLs that the sitemaps must list, given literally or as patterns.

To save memory, URLs and paths are stored as hashes, and many lines in a queue on disk.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import NoReturn

import msgspec

from sitemapx.check.api import Check, CheckContext
from sitemapx.check.findings import Position, RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import File
from sitemapx.convert.disk.spill import DiskQueue
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opening import open_source
from sitemapx.convert.streams.gzip import unpack
from sitemapx.convert.streams.stream import CountingStream, line_blocks
from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError, UsageError

_IN_MEMORY = 8 << 20
#: A question mark before an equals sign is not a wildcard, but begins a query.
_is_pattern = re.compile(r"re:|.*[*\[]|[^?]*\?[^=]*$", re.DOTALL).match

RULES: Mapping[str, Rule] = {
    "required-not-listed": Rule(
        "error",
        "Required URL is not listed",
        "The list of required URLs says that the checked sitemaps must contain it.",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview",
        "Add the URL to a sitemap, or remove the line from the list of required URLs.",
        requires="require",
    ),
}


class _RequiredLine(msgspec.Struct, frozen=True, array_like=True, gc=False):
    number: int
    text: str


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_RequiredLine).decode


class Required:
    """
    List of URLs that the checked sitemaps must contain.

    Each line is a URL, a path (everything after the host), or a pattern as for
    `sitemapx.convert.steps.include`. Blank lines and lines that begin with `#` are ignored.

    Args:
        source: Path or URL of the list, `-` for standard input.

    Attributes:
        name: Name of the list, for messages.
        close: Releases the disk space.

    Raises:
        InputError: If the list cannot be read, or is not UTF-8 text.
        UsageError: If a regular expression is invalid.

    """

    def __init__(self, source: str) -> None:
        self._lines = DiskQueue(_IN_MEMORY)
        self.close = self._lines.close
        #: Hashes of the URLs and paths that have not been listed yet, and the patterns.
        self._urls: set[int] = set()
        self._paths: set[int] = set()
        self._patterns: dict[str, urls.Matcher] = {}
        with closing(open_source(source)) as opened:
            self.name = opened.name
            for line in _lines_of(opened.name, CountingStream(opened, lambda count: None)):
                self._add_line(line)

    def _add_line(self, line: _RequiredLine) -> None:
        text = line.text
        self._lines.add_row(_encode(line))
        if _is_pattern(text):
            try:
                self._patterns[text] = urls.matcher(text)
            except UsageError as error:
                raise UsageError(f"{self.name}:{line.number}: {error}") from error
        elif text.startswith("/"):
            self._paths.add(hash(_normal_path(text)))
        else:
            self._urls.add(hash(uris.normalize(text)))

    def remove_listed(self, locs: Sequence[str], normal: Sequence[str]) -> None:
        """Remove the requirements that these URLs meet; `normal` are the same URLs, normalized."""
        if self._urls:
            self._urls.difference_update(map(hash, normal))
        if self._paths:
            self._paths.difference_update(map(hash, map(_path_of, normal)))
        for text, matches in [*self._patterns.items()]:
            if any(map(matches, locs)):
                del self._patterns[text]

    def missing(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of each line that no listed URL matches."""
        for line in map(_decode, self._lines):
            text = line.text
            if _is_pattern(text):
                is_missing = text in self._patterns
            elif text.startswith("/"):
                is_missing = hash(_normal_path(text)) in self._paths
            else:
                is_missing = hash(uris.normalize(text)) in self._urls
            if is_missing:
                yield line.number, text


def _lines_of(name: str, stream: CountingStream) -> Iterator[_RequiredLine]:
    """
    Yield all lines except blanks and comments.

    Raises `InputError` if the list is truncated or has an invalid line.
    """

    def raise_problem(problem: Problem) -> NoReturn:
        message = "not UTF-8 text" if problem.code == "wrong-encoding" else problem.message
        raise InputError(message, name, problem.line)

    reporter = Reporter(raise_problem, source=name)
    try:
        for block in line_blocks(unpack(stream, reporter)[1], reporter):
            for number, line in enumerate(block.lines, block.first):
                if (text := line.strip()) and not text.startswith("#"):
                    yield _RequiredLine(number, text)
    except InputError as error:
        error.source = error.source or name
        raise


def _path_of(loc: str) -> str:
    return loc[loc.find("/", 8) :]


def _normal_path(path: str) -> str:
    return _path_of(uris.normalize(f"https://a.example{path}"))


class RequiredUrls(Check):
    """Reports required URLs that are not listed."""

    rules = RULES

    def __init__(self, context: CheckContext, required: Required) -> None:
        super().__init__(context)
        self._required = required

    def merge(self, partial: None, batch: IndexedBatch, file: File) -> None:
        if not file.is_index:
            self._required.remove_listed(batch.urls.locs, batch.urls.normals)

    def end_run(self) -> Iterator[RawFinding]:
        for number, text in self._required.missing():
            message = "required, but not in any checked sitemap"
            source = self._required.name
            yield RawFinding("required-not-listed", message, Position(number), text, source)

    def close(self) -> None:
        self._required.close()
