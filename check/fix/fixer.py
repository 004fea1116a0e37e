"""
The fixes of `sitemapx check --fix`, for problems with only one correct fix.

A fixed file may replace the original if it is well-formed, lists the same URLs, and has no more
findings of any rule than before; if markup was repaired, only the findings of the fixed rules and
of markup rules must not increase. The comparison streams both files in bounded memory.
"""

import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing
from functools import partial
from shutil import copyfile
from typing import NamedTuple

from msgspec.structs import replace

from sitemapx.check.checker import CheckRun
from sitemapx.check.contents import fixed_pieces
from sitemapx.check.edits import MARKUP, TOO_LARGE, is_fixable_code, is_fixable_file
from sitemapx.check.file.wellformedness import defect_in
from sitemapx.check.findings import Finding
from sitemapx.check.rules.registry import RULES
from sitemapx.convert.conversion import convert
from sitemapx.convert.disk.atomic import FileDraft, GzipPacker
from sitemapx.convert.disk.lock import tidy_folder
from sitemapx.convert.disk.spill import DigestSet
from sitemapx.convert.disk.swap import swap_in
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.problems import Problem, ignore
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.read import read
from sitemapx.convert.streams.gzip import GZIP
from sitemapx.convert.values import relative, uris, urls
from sitemapx.convert.values.words import short_url
from sitemapx.errors import InputError, OutputError, UsageError

#: Identity of a finding before and after a fix: its code, and the URL of its entry.
FindingKey = tuple[str, str | None]


class Version:
    """
    A file before or after fixing, checked on its own, without the other files of its set.

    Args:
        codes: Codes that can be fixed; if empty, `left` and `new` remain empty.
        known: Codes that were found before the fix.

    Attributes:
        url: Public URL of the file; None if unknown.
        counts: Number of findings, by code.
        left: Number of fixable findings, by code and URL of the entry.
        new: Findings of codes that are not in `known`.

    """

    def __init__(
        self,
        path: str,
        format: Format,
        url: str | None,
        codes: Collection[str] = (),
        known: Collection[str] = (),
    ) -> None:
        self.path, self.format, self.url = path, format, url
        self.counts: Counter[str] = Counter()
        self.left: Counter[FindingKey] = Counter()
        self.new: list[Finding] = []
        self._codes, self._known = codes, known

    def _count_finding(self, finding: Finding) -> None:
        self.counts[finding.code] += finding.times
        if finding.code in self._codes:
            self.left[key_of(finding, self.url)] += finding.times
        if self._codes and finding.code not in self._known:
            self.new.append(finding)

    def check(self) -> None:
        for _ in self.locs():
            pass

    def locs(self) -> Iterator[str]:
        """Check the file, yielding its URLs while it is read."""
        with closing(CheckRun(report=self._count_finding, marks_fixable=False)) as checking:
            opener = checking.opener(Opener(url=self.url, follows=False))
            try:
                with closing(opener.open([self.path], checking.report, _ignore)) as inputs:
                    for file in inputs:
                        for batch in file.batches:
                            yield from batch.locs()
            except InputError as error:
                checking.report_error(error, self.path)
            checking.finish()


def key_of(finding: Finding, url: str | None) -> FindingKey:
    """Return a key of a finding that does not change when its URL is fixed."""
    loc = finding.loc and (relative.resolve(finding.loc, url) or finding.loc)
    return finding.code, loc and _escape(loc)


def _escape(loc: str) -> str:
    """Escape a URL as --fix does, to compare URLs before and after the fix."""
    return uris.to_uri(loc) or loc


def _ignore(size: int) -> None:
    pass


def why_unsafe(old: Version, new: Version, codes: Collection[str]) -> str:
    """
    Return why the new version must not replace the old one; empty if it may.

    Args:
        old: The version to replace, which is checked here; `new` must have been checked.
        codes: Codes that were fixed. If markup was repaired, findings of other codes may increase,
            since broken markup hides its contents; otherwise, no code may have more findings.

    """
    if new.format.roots and (defect := defect_in(new.path)):
        return f"the result would not be well-formed XML: {defect}"
    try:
        with read(new.path, source_url=new.url, report=ignore) as document:
            news = (loc for batch in document.batches for loc in batch.locs())
            if lost := _changed_url(old.locs(), news):
                return lost
    except InputError as error:
        return f"the result cannot be read: {error.message}"
    more = new.counts - old.counts
    is_brought_to_light = not MARKUP.isdisjoint(old.counts - new.counts)
    for code in sorted(more.keys() & (MARKUP.union(codes) if is_brought_to_light else more.keys())):
        counts = f"{new.counts[code]:,} instead of {old.counts[code]:,}"
        return f"the result would have more findings of {code}: {counts}"
    return ""


def _changed_url(olds: Iterator[str], news: Iterator[str]) -> str:
    """
    Return a message about the first URL that a fix removed or added, or an empty string.

    Duplicates may be removed.
    """
    seen = DigestSet()
    try:
        new = next(news, None)
        for old in olds:
            was_kept = seen.add_text(old, int(old == new))
            is_first = was_kept is None
            # The first occurrence of a URL may be escaped or not; its duplicates must then be
            # identical to it.
            expected = (old, _escape(old)) if is_first else (old if was_kept else _escape(old),)
            if new in expected:
                new = next(news, None)
            elif is_first:
                return f"the result would lack {short_url(urls.without_password(old))}"
        if new is None:
            return ""
        listed = short_url(urls.without_password(new))
        return f"the result would list {listed}, which the source does not list"
    finally:
        seen.close()


# ---- fixes

#: Maximum number of passes: a fix may reveal another problem.
_ROUNDS = 5


class FixableFile(NamedTuple):
    """
    A file with findings that are to be fixed.

    Attributes:
        path: Path of the file.
        format: Format of the file.
        url: Public URL of the file; None if unknown, so that relative URLs and files that are too
            large cannot be fixed.
        found: Codes of the findings to fix; findings that a fix reveals are fixed as well.
        wanted: Enabled codes.

    """

    path: str
    format: Format
    url: str | None
    found: frozenset[str]
    wanted: Collection[str] = RULES.keys()

    @property
    def is_possible(self) -> bool:
        """Whether `path` is a sitemap, an index, an RSS or Atom feed, or a URL list on disk."""
        return is_fixable_file(self.path, self.format)

    @property
    def codes(self) -> frozenset[str]:
        """Codes of the findings that can be fixed in this file."""
        known = (code for code in self.found if code in RULES)
        where = self.format, self.url
        return frozenset(code for code in known if is_fixable_code(code, RULES[code], *where))


class FixResult(NamedTuple):
    """
    Result of fixing a file.

    Attributes:
        why_not: Why the file was not fixed, or only in part; empty if it was fixed.
        more: Findings that a fix revealed, fixed or not.
        left: Number of fixable findings that remain, by code and URL of the entry; None if the file
            is unchanged and all findings remain.
        gone: Number of findings before the fix, by code, for the codes that are no longer found.

    """

    why_not: str
    more: list[Finding]
    left: Counter[FindingKey] | None
    gone: Counter[str]


def fix_file(file: FixableFile, output: str | None = None) -> FixResult:
    """
    Fix a file, in place or in a copy.

    The result is well-formed, lists the same URLs (apart from their spelling), and has no more
    findings of any code, except those that broken markup hid. Duplicates may be removed. Fixes that
    would break this are skipped. A file that is too large may be split into a set with an index.

    Args:
        file: The file and what was found in it.
        output: Path of the fixed file; None to replace the original.

    Returns:
        The number of fixed and of remaining findings, and the reason for the latter.

    Raises:
        OutputError: If the file cannot be written; the original is left unchanged.

    """
    path = output or os.path.realpath(file.path)
    tidy_folder(os.path.dirname(path) or os.curdir)
    drafts: list[FileDraft] = []
    try:
        fixes = _Fixes(file, path, drafts)
        fixes.apply()
        if fixes.result:
            swap_in([(fixes.result.path, path)], durable=True)
        elif output:
            copyfile(file.path, path)
    finally:
        for draft in drafts:
            draft.discard()
    why_not, new = fixes.why_not, fixes.result
    if fixes.file.codes & TOO_LARGE:
        why_not = _split(file, path)
        new = Version(path, file.format, file.url, _fixable_codes(file))
        new.check()
    return FixResult(why_not, fixes.more, new.left if new else None, fixes.gone)


class _Fixes:
    """
    Applies the fixes of one file, skipping those that would make it worse.

    Args:
        path: Path of the fixed file.
        drafts: List to which temporary files are added, for the caller to remove.

    Attributes:
        file: The file, with all codes that were found in it.
        result: The last version that may replace the file; None if none has been written yet.
        more: Findings that fixes revealed.
        gone: Number of findings before the fix, by code, for the codes that are no longer found.
        why_not: Why fixes were skipped; empty if none were.

    """

    def __init__(self, file: FixableFile, path: str, drafts: list[FileDraft]) -> None:
        self.file, self._path, self._drafts = file, path, drafts
        self.result: Version | None = None
        self.more: list[Finding] = []
        self.gone: Counter[str] = Counter()
        self.why_not = ""

    def apply(self) -> None:
        """Apply all fixes together; if that fails, those of markup, then one rule at a time."""
        every = frozenset(RULES)
        why_not = self._apply(every)
        for _ in range(_ROUNDS if why_not else 0):
            before = self.result
            self._apply(MARKUP)
            for code in sorted(self.file.codes - MARKUP):
                self._apply(frozenset({code}))
            if self.result is before or not (why_not := self._apply(every)):
                break
        self.why_not = why_not

    def _apply(self, codes: frozenset[str]) -> str:
        """
        Apply the fixes of these codes, and keep the result if it is safe.

        Returns why the result was discarded; empty if it was kept or nothing changed.
        """
        if not self.file.codes & codes:
            return ""
        path = self.result.path if self.result else self.file.path
        try:
            file, more, new = self._repeat_until_stable(self.file._replace(path=path), codes)
        except InputError as error:
            return error.message
        if new is None:
            return ""
        old = Version(path, file.format, file.url)
        if why_not := why_unsafe(old, new, codes):
            return why_not
        self.file = file._replace(path=self.file.path)
        self.result = new
        fixable = _fixable_codes(file)
        self.more += [
            finding for finding in more if finding.code in fixable or not old.counts[finding.code]
        ]
        self.gone += Counter({code: old.counts[code] for code in old.counts.keys() - new.counts})
        return ""

    def _repeat_until_stable(
        self, file: FixableFile, codes: Collection[str]
    ) -> tuple[FixableFile, list[Finding], Version | None]:
        """
        Repeat the fixes, as one may reveal another finding; raise `InputError` if that has no end.

        Returns:
            The file with the codes of all findings, the findings that fixes revealed, and the
            fixed version; None for the version if nothing changed.

        """
        more: list[Finding] = []
        new: Version | None = None
        for _ in range(_ROUNDS):
            before = new.path if new else file.path
            packer = GzipPacker if _is_packed(before) else None
            draft = FileDraft(self._path, packer=packer, present=before)
            self._drafts.append(draft)
            fixed = file._replace(found=file.found.intersection(codes)).codes
            for piece in fixed_pieces(before, file.format, file.url, fixed):
                draft.write(piece)
            draft.close()
            if draft.equals(before):
                return file, more, new
            draft.complete()
            known = file.found | (RULES.keys() - file.wanted)
            new = Version(draft.path, file.format, file.url, _fixable_codes(file), known)
            new.check()
            more += [replace(finding, source=self.file.path) for finding in new.new]
            file = file._replace(found=file.found | {finding.code for finding in new.new})
            if not new.left:
                return file, more, new
        raise InputError(f"fixes do not converge after {_ROUNDS} rounds")


def _fixable_codes(file: FixableFile) -> frozenset[str]:
    """Return the enabled codes that can be fixed in this file."""
    return file._replace(found=frozenset(file.wanted)).codes


def _split(file: FixableFile, path: str) -> str:
    """Split a file that exceeds the limits, unless that would lose data; return why not, or ""."""
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
