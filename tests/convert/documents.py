"""Small documents for tests, and the entries and problems that are read from them."""

import io
from typing import NamedTuple

from sitemapx.convert import Entry, Problem, read

__all__ = ["IMAGE", "NEWS", "SITEMAP", "VIDEO", "XHTML", "Dribble", "Outcome", "outcome", "urlset"]

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
XHTML = "http://www.w3.org/1999/xhtml"

_PREFIXES = f'xmlns:image="{IMAGE}" xmlns:video="{VIDEO}" xmlns:news="{NEWS}" xmlns:xhtml="{XHTML}"'


class Outcome(NamedTuple):
    """Entries and problems read from a source."""

    entries: list[Entry]
    problems: list[Problem]

    @property
    def locs(self) -> list[str | None]:
        return [entry.loc for entry in self.entries]

    @property
    def places(self) -> list[tuple[str, int | None]]:
        """Return the codes and lines of the problems."""
        return [(problem.code, problem.line) for problem in self.problems]


def outcome(data: bytes, *, format: str | None = None, url: str | None = None) -> Outcome:
    problems: list[Problem] = []
    document = read(io.BytesIO(data), format=format, source_url=url, report=problems.append)
    return Outcome(list(document), problems)


def urlset(*items: str, prefixes: str = _PREFIXES) -> bytes:
    """Return a sitemap: declaration in line 1, root in line 2, one item per line."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<urlset xmlns="{SITEMAP}" {prefixes}>',
        *items,
        "</urlset>\n",
    ]
    return "\n".join(lines).encode()


class Dribble:
    """A stream that returns few bytes at a time, as pipes and sockets do."""

    def __init__(self, data: bytes, most: int) -> None:
        self._stream = io.BytesIO(data)
        self._most = most

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `most` bytes, and empty bytes only at the end."""
        return self._stream.read(self._most if size < 0 else min(size, self._most))
