"""
Mend files: what has one right answer, and nothing else; what `sitemapx check --fix` does.

A file is read and written again in its own format, and that mends it: namespaces, order, escapes,
dates and encoding are written as they should be. A file that would lose anything besides is left
alone.
"""

import os
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from sitemapx.convert.conversion import convert
from sitemapx.convert.formats import Format
from sitemapx.convert.gunzip import GZIP
from sitemapx.convert.opening import Opener
from sitemapx.convert.problems import Problem
from sitemapx.convert.rules.table import RULES
from sitemapx.convert.steps import unique
from sitemapx.convert.targets import Target
from sitemapx.errors import InputError, UsageError

__all__ = ["Mendable", "changes", "mend"]

#: The formats that say no more than what is read of them.
_FORMATS = ("sitemap", "sitemapindex", "text")
#: What can be mended only where it is known at which address the file is published.
_NEEDS_URL = frozenset(
    {
        *("relative-loc", "relative-child", "asset-url", "hreflang-url"),
        *("too-many-urls", "too-many-bytes", "news-too-many"),
    }
)
_CHUNK = 1 << 17


class Mendable(NamedTuple):
    """A file in which something was found: its path, its format, and where it is published."""

    path: str
    form: Format
    url: str | None

    @property
    def is_possible(self) -> bool:
        """Whether it is a file of a kind that is mended at all."""
        return self.form.name in _FORMATS and os.path.isfile(self.path)

    def mends(self, code: str) -> bool:
        """Tell whether what has this code can be mended in it."""
        rule = RULES.get(code)
        return rule is not None and rule.fix and (self.url is not None or code not in _NEEDS_URL)


def mend(file: Mendable, output: str | None = None) -> str:
    """
    Mend a file, at once as a whole.

    Args:
        output: Where to put it, if not in its place.

    Returns:
        Why that was not done; the empty string if it was.

    Raises:
        OutputError: If it cannot be written; it is left as it was.

    """
    lost: list[Problem] = []

    def note(problem: Problem) -> None:
        if not file.mends(problem.code):
            lost.append(problem)

    base = file.url.rpartition("/")[0] if file.url else None
    target = Target(
        output or file.path, file.form, file.form.limits, base and f"{base}/", _is_packed(file.path)
    )
    written = partial(
        convert,
        [file.path],
        opener=Opener(format=file.form.name, url=file.url, follows=False),
        steps=[unique()],
    )
    try:
        written(target._replace(path=os.devnull, limits=None), report=note)
        return str(lost[0]) if lost else written(target).failure
    except (InputError, UsageError) as error:
        return str(error)


def _is_packed(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(GZIP)) == GZIP


def changes(old: str, new: str) -> Iterator[str]:
    """
    Give the lines of a unified diff between two files, unpacked.

    Raises:
        InputError: If one cannot be unpacked.

    """
    from difflib import unified_diff

    yield from unified_diff(_lines(old), _lines(new), old, f"{old} (mended)")


def _lines(path: str) -> list[str]:
    """Read all lines of a file; bytes that are no UTF-8 are shown as escapes."""
    from sitemapx.convert import sources
    from sitemapx.convert.problems import Context

    with sources.open_source(path) as opened:
        _, stream = sources.unpack(opened, Context())
        data = b"".join(iter(partial(stream.read, _CHUNK), b""))
    lines = data.decode("utf-8", "backslashreplace").splitlines(keepends=True)
    return [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    ]
