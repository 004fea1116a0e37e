"""
Checks of outputs, so that commands that are fast but wrong do not count.

A check is called with the directory that the command ran in; `stdout` in it is its output.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, BinaryIO, cast
from xml.etree import ElementTree

from bench.samples.data import ROBOTS_SITEMAP, SITE, Entry

__all__ = [
    "Check",
    "OutputError",
    "adds_sitemap",
    "any_output",
    "links_pages",
    "prints_entries",
    "prints_objects",
    "prints_urls",
    "says",
    "writes_files",
]

Check = Callable[[Path], None]
#: Returns the expected entries.
Made = Callable[[], Iterator[Entry]]


class OutputError(Exception):
    """The output of a command is wrong."""


def any_output(_folder: Path) -> None:
    """Accept any output."""


def prints_urls(made: Made, times: int = 1) -> Check:
    """Return a check that expects one URL per line, each URL `times` times."""

    def check(folder: Path) -> None:
        with _opened(folder / "stdout") as lines:
            expected = chain.from_iterable(_urls(made) for _ in range(times))
            _compare(expected, (line.decode().rstrip("\n") for line in lines))

    return check


def prints_objects(made: Made, key: str = "loc") -> Check:
    """Return a check that expects one JSON object per line, with the URL under `key`."""

    def check(folder: Path) -> None:
        with _opened(folder / "stdout") as lines:
            _compare(_urls(made), (json.loads(line)[key] for line in lines))

    return check


def prints_entries(made: Made) -> Check:
    """Return a check that expects JSON Lines with all fields of entries as sitemapx names them."""

    def check(folder: Path) -> None:
        with _opened(folder / "stdout") as lines:
            _compare(made(), map(json.loads, lines))

    return check


def says(line: str) -> Check:
    """Return a check that expects this line in the summary on stderr."""

    def check(folder: Path) -> None:
        said = (folder / "stderr").read_text().splitlines()
        if line not in said:
            raise OutputError(f"said {said!r} and not {line!r}")

    return check


def adds_sitemap(original: Path, url: str) -> Check:
    """Return a check that expects the original robots.txt with a Sitemap line below the first."""

    def check(folder: Path) -> None:
        both = f"{ROBOTS_SITEMAP}Sitemap: {url}\n"
        if (folder / "robots.txt").read_text() != original.read_text().replace(
            ROBOTS_SITEMAP, both, 1
        ):
            raise OutputError("robots.txt is not what it was, with one line more")

    return check


#: Elements of the sitemap namespace only, as images have <loc>, too.
_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def writes_files(made: Made, first: str) -> Check:
    """Return a check that expects all URLs in order, in an XML file or the files that it lists."""

    def check(folder: Path) -> None:
        _compare(_urls(made), _locs(folder / first))

    return check


_link = re.compile(rb'<a href="(https?:[^"]+)"').findall


def links_pages(made: Made, first: str) -> Check:
    """Return a check that expects a link to each URL, on an HTML page or other pages beside it."""

    def check(folder: Path) -> None:
        first_page = folder / first
        pages = folder.glob(f"{first_page.stem}*{first_page.suffix}")
        links = (unescape(link.decode()) for page in pages for link in _link(page.read_bytes()))
        _compare(sorted(_urls(made)), sorted(links))

    return check


def _urls(made: Made) -> Iterator[str]:
    return (entry["loc"] for entry in made())


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path)) if is_packed else path.open("rb")


def _locs(path: Path) -> Iterator[str]:
    if not path.exists():
        raise OutputError(f"there is no {path.name}")
    with _opened(path) as file:
        events = ElementTree.iterparse(file, events=("start", "end"))
        _, root = next(events)
        is_index = root.tag.endswith("}sitemapindex")
        for event, element in events:
            if event == "start" or element.tag != _LOC:
                continue
            loc = element.text or ""
            if is_index:
                yield from _locs(path.with_name(loc.removeprefix(SITE)))
            else:
                yield loc
            root.clear()


def _compare(expected: Iterable[Any], found: Iterable[Any]) -> None:
    try:
        for number, (right, actual) in enumerate(zip_longest(expected, found), start=1):
            if right != actual:
                raise OutputError(f"entry {number} is {actual!r} instead of {right!r}")
    except (ValueError, KeyError, OSError, EOFError, ElementTree.ParseError) as error:
        raise OutputError(f"wrote what cannot be read: {error!r}") from error
