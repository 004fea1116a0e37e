"""
Mend files: what has one right answer, and nothing else; what `sitemapx check --fix` does.

A file is read piece by piece, and each piece is written as it was, byte for byte, but for what is
mended in it: the start (see `mendedstart`), items (see `cures`), or lines. Who checks it again
knows what was mended.
"""

import os
from collections.abc import Collection, Iterator
from functools import partial
from typing import NamedTuple

from sitemapx.convert import sources
from sitemapx.convert.checking import check
from sitemapx.convert.conversion import convert
from sitemapx.convert.cutting import Cutter
from sitemapx.convert.findings import Finding
from sitemapx.convert.formats import Format
from sitemapx.convert.gunzip import GZIP
from sitemapx.convert.mendedlines import mended_lines
from sitemapx.convert.mendedmarkup import ITEMS, mended_markup
from sitemapx.convert.mendedstart import undeclared_in
from sitemapx.convert.opening import Opener
from sitemapx.convert.problems import Context, Problem
from sitemapx.convert.repeats import Repeats
from sitemapx.convert.rules.table import RULES
from sitemapx.convert.sinks import FileDraft
from sitemapx.convert.swapping import swap_in
from sitemapx.convert.targets import Target
from sitemapx.errors import InputError, OutputError, UsageError

__all__ = ["Mendable", "Mended", "changes", "mend"]

#: The formats that are mended.
_FORMATS = ("sitemap", "sitemapindex", "text")
#: What can be mended only where it is known at which address the file is published.
_TOO_LARGE = frozenset({"too-many-urls", "too-many-bytes", "news-too-many"})
_NEEDS_URL = _TOO_LARGE | {"relative-loc", "relative-child", "asset-url", "hreflang-url"}
_CHUNK = 1 << 17


class Mendable(NamedTuple):
    """
    A file in which something was found.

    Attributes:
        path: Its path.
        form: Its format.
        url: Where it is published.
        found: The codes of what was found; nothing else is mended.
        wanted: The codes that are looked for.

    """

    path: str
    form: Format
    url: str | None
    found: frozenset[str]
    wanted: Collection[str] = RULES.keys()

    @property
    def is_possible(self) -> bool:
        """Whether it is a file of a kind that is mended at all."""
        return self.form.name in _FORMATS and os.path.isfile(self.path)

    @property
    def codes(self) -> frozenset[str]:
        """What can be mended in it."""
        known = {code for code in self.found if code in RULES and RULES[code].fix}
        return frozenset(known if self.url else known - _NEEDS_URL)


class Mended(NamedTuple):
    """
    What became of a file.

    Attributes:
        why_not: Why it was not mended, or only in part; the empty string if it was.
        more: What could be seen only when other things were mended, and then was mended, too.
        left: What could be mended by its code, and is still there.

    """

    why_not: str
    more: list[Finding]
    left: list[Finding]


def mend(file: Mendable, output: str | None = None) -> Mended:
    """
    Mend a file, at once as a whole.

    Args:
        output: Where to put it, if not in its place.

    Raises:
        OutputError: If it cannot be written; it is left as it was.

    """
    more: list[Finding] = []
    while True:
        why_not = _mend_once(file, output)
        file = file._replace(path=output or file.path)
        left = _left_in(file)
        new = [one for one in left if one.code not in file.found]
        if why_not or not new:
            return Mended(why_not, more, left)
        more += new
        file = file._replace(found=file.found | {one.code for one in new})


def _mend_once(file: Mendable, output: str | None) -> str:
    """Mend what was found; tell why not."""
    path = output or os.path.realpath(file.path)
    draft = FileDraft(path, compress=_is_packed(file.path), present=file.path)
    try:
        for piece in _pieces(file):
            draft.write(piece)
        draft.close()
        if output or not draft.equals(file.path):
            draft.complete()
            swap_in([(draft.path, path)], durable=True)
    except InputError as error:
        return error.message
    finally:
        draft.discard()
    return _split(file, path) if file.codes & _TOO_LARGE else ""


def _pieces(file: Mendable) -> Iterator[bytes]:
    """Read a file, and give it as it is to be."""
    repeats = Repeats.of(file.path, file.url, file.codes)
    with sources.open_source(file.path) as opened:
        start, stream = sources.unpack(opened, Context())
        if not file.form.roots:
            yield from mended_lines(stream, start, file.codes, repeats)
            return
        prefixes = _undeclared(file) if "namespace" in file.codes else ()
        known = file.form, file.url, file.codes, repeats, prefixes
        yield from mended_markup(stream, start, *known)


def _undeclared(file: Mendable) -> Collection[str]:
    with sources.open_source(file.path) as opened:
        _, stream = sources.unpack(opened, Context())
        return undeclared_in(Cutter(stream, ITEMS[file.form.name], Context()))


def _split(file: Mendable, path: str) -> str:
    """Make a set of a file that is too large, unless something would be lost."""
    lost: list[Problem] = []
    base = f"{(file.url or '').rpartition('/')[0]}/"
    target = Target(path, file.form, file.form.limits, base, _is_packed(path))
    opener = Opener(format=file.form.name, url=file.url, follows=False)
    written = partial(convert, [path], opener=opener)
    try:
        written(target._replace(path=os.devnull, limits=None), report=lost.append)
        if lost:
            where = f"line {lost[0].line}: " if lost[0].line else ""
            return f"it is not split: {where}{lost[0].message}"
        return written(target).failure
    except (InputError, OutputError, UsageError) as error:
        return f"it is not split: {error}"


def _left_in(file: Mendable) -> list[Finding]:
    """Check a file that was mended, for what can be."""
    found: list[Finding] = []
    codes = file._replace(found=frozenset(file.wanted)).codes
    opener = Opener(url=file.url, follows=False)
    check([file.path], opener=opener, codes=codes, report=found.append)
    return found


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
