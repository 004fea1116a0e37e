"""
Fix files: what has one right answer, and nothing else; what `sitemapx check --fix` does.

A file is read piece by piece, and each piece is written as it was, byte for byte, but for what is
fixed in it: the start (see `prolog`), items (see `fixes`), or lines. Who checks it again
knows what was fixed.
"""

import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing
from functools import partial
from shutil import copyfile
from typing import NamedTuple

from msgspec.structs import replace

from sitemapx.check.file.fixability import TOO_LARGE, is_fixable_code, is_fixable_file
from sitemapx.check.findings import Finding
from sitemapx.check.fix.items import fixed_markup
from sitemapx.check.fix.lines import fixed_lines
from sitemapx.check.fix.prolog import undeclared_in
from sitemapx.check.fix.repeats import Repeats
from sitemapx.check.fix.verification import FindingKey, Version, why_unsafe
from sitemapx.check.rules.registry import RULES
from sitemapx.convert.conversion import convert
from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.disk.swap import swap_in
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.sources import opening
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.streams import gzip as gzip_
from sitemapx.convert.streams.gzip import GZIP
from sitemapx.convert.xml.cutting.cutter import Cutter
from sitemapx.errors import InputError, OutputError, UsageError

__all__ = ["FixResult", "FixableFile", "changes", "fix_file"]

_CHUNK = 1 << 17
#: What is fixed may show something else; more often than this it never ends.
_ROUNDS = 5


class FixableFile(NamedTuple):
    """
    A file in which something was found.

    Attributes:
        path: Its path.
        format: Its format.
        url: Where it is published.
        found: The codes of what was found; nothing else is fixed.
        wanted: The codes that are looked for.

    """

    path: str
    format: Format
    url: str | None
    found: frozenset[str]
    wanted: Collection[str] = RULES.keys()

    @property
    def is_possible(self) -> bool:
        """Whether it is a file of a kind that is fixed at all."""
        return is_fixable_file(self.path, self.format)

    @property
    def codes(self) -> frozenset[str]:
        """The codes of what can be fixed in it."""
        known = (code for code in self.found if code in RULES)
        return frozenset(code for code in known if is_fixable_code(code, RULES[code], self.url))


class FixResult(NamedTuple):
    """
    The result of fixing a file.

    Attributes:
        why_not: Why it was not fixed, or only in part; the empty string if it was.
        more: What could be seen only when other things were fixed, and then was fixed, too.
        left: How often each code that could be fixed is still there, by entry; None if the file
            is as it was, with all that was found.
        gone: How often each code was there that is not there any more.

    """

    why_not: str
    more: list[Finding]
    left: Counter[FindingKey] | None
    gone: Counter[str]


def fix_file(file: FixableFile, output: str | None = None) -> FixResult:
    """
    Fix a file, at once as a whole; it stays as it is if the result would be worse in anything.

    Args:
        output: Where to put it, if not in its place.

    Raises:
        OutputError: If it cannot be written; it is left as it was.

    """
    path = output or os.path.realpath(file.path)
    drafts: list[FileDraft] = []
    try:
        file, more, new = _settled(file, path, drafts)
        old, gone = Version(file.path, file.format, file.url), Counter[str]()
        if new and (why_not := why_unsafe(old, new)):
            return FixResult(why_not, [], None, gone)
        if new:
            gone = Counter({code: old.counts[code] for code in old.counts.keys() - new.counts})
            swap_in([(new.path, path)], durable=True)
        elif output:
            copyfile(file.path, path)
    except InputError as error:
        return FixResult(error.message, [], None, Counter())
    finally:
        for draft in drafts:
            draft.discard()
    why_not = _split(file, path) if file.codes & TOO_LARGE else ""
    if file.codes & TOO_LARGE:
        new = Version(path, file.format, file.url, _fixable(file))
        new.check()
    return FixResult(why_not, more, new.left if new else None, gone)


def _settled(
    file: FixableFile, path: str, drafts: list[FileDraft]
) -> tuple[FixableFile, list[Finding], Version | None]:
    """
    Fix again what was fixed, until nothing changes any more: one change may show the next.

    Args:
        drafts: Takes the files that are made for that.

    Returns:
        The file with all that was found, what was found late, and the result, if it is another.

    """
    more: list[Finding] = []
    new: Version | None = None
    for _ in range(_ROUNDS):
        before = new.path if new else file.path
        draft = FileDraft(path, compress=_is_packed(before), present=before)
        drafts.append(draft)
        for piece in _pieces(file._replace(path=before)):
            draft.write(piece)
        draft.close()
        if draft.equals(before):
            return file, more, new
        draft.complete()
        new = Version(draft.path, file.format, file.url, _fixable(file), file.found)
        new.check()
        more += [replace(one, source=file.path) for one in new.new]
        file = file._replace(found=file.found | {one.code for one in new.new})
        if not new.left:
            return file, more, new
    raise InputError(f"fixes do not converge after {_ROUNDS} rounds")


def _fixable(file: FixableFile) -> frozenset[str]:
    """List the codes that are looked for and can be fixed."""
    return file._replace(found=frozenset(file.wanted)).codes


def _pieces(file: FixableFile) -> Iterator[bytes]:
    """Read a file, and give it as it is to be."""
    with (
        closing(Repeats.of(file.path, file.url, file.codes)) as repeats,
        opening.open_source(file.path) as opened,
    ):
        start, stream = gzip_.unpack(opened, Reporter())
        if not file.format.roots:
            yield from fixed_lines(stream, start, file.codes, repeats)
            return
        prefixes = _undeclared(file) if "namespace" in file.codes else ()
        known = file.format, file.url, file.codes, repeats, prefixes
        yield from fixed_markup(stream, start, *known)


def _undeclared(file: FixableFile) -> Collection[str]:
    with opening.open_source(file.path) as opened:
        _, stream = gzip_.unpack(opened, Reporter())
        return undeclared_in(Cutter(stream, file.format.item, Reporter()))


def _split(file: FixableFile, path: str) -> str:
    """Make a set of a file that is too large, unless something would be lost."""
    lost: list[Problem] = []
    base = f"{(file.url or '').rpartition('/')[0]}/"
    target = Target(path, file.format, file.format.limits, base, _is_packed(path))
    opener = Opener(format=file.format.name, url=file.url, follows=False)
    written = partial(convert, [path], opener=opener)
    try:
        written(target._replace(path=os.devnull, limits=None), report=lost.append)
        if lost:
            where = f"line {lost[0].line}: " if lost[0].line else ""
            return f"not split: {where}{lost[0].message}"
        return written(target).failure
    except (InputError, OutputError, UsageError) as error:
        return f"not split: {error}"


def _is_packed(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(GZIP)) == GZIP


def changes(old: str, new: str) -> Iterator[str]:
    """
    Return the lines of a unified diff between two files, unpacked.

    Raises:
        InputError: If one cannot be unpacked.

    """
    from difflib import unified_diff

    yield from unified_diff(_lines(old), _lines(new), old, f"{old} (fixed)")


def _lines(path: str) -> list[str]:
    """Read all lines of a file; bytes that are no UTF-8 are shown as escapes."""
    from sitemapx.convert.model.reporter import Reporter
    from sitemapx.convert.sources import opening
    from sitemapx.convert.streams import gzip as gzip_

    with opening.open_source(path) as opened:
        _, stream = gzip_.unpack(opened, Reporter())
        data = b"".join(iter(partial(stream.read, _CHUNK), b""))
    lines = data.decode("utf-8", "backslashreplace").splitlines(keepends=True)
    return [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    ]
