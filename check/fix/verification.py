"""
Whether a fixed file may replace its original.

It may if it is well-formed, no rule finds more in it than before, and each URL is still listed. All
of it is compared as it is read, so that the size of a file makes no difference to memory.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing

from sitemapx.check.checker import Checking
from sitemapx.check.file.fixability import MARKUP
from sitemapx.check.file.wellformedness import defect_in
from sitemapx.check.findings import Finding
from sitemapx.convert.disk.spill import Seen
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.read import read
from sitemapx.convert.values import relative, uris, urls
from sitemapx.convert.values.words import short_url
from sitemapx.errors import InputError

__all__ = ["FindingKey", "Version", "key_of", "why_unsafe"]

#: What a finding is known by before and after: its code, and the URL of its entry.
FindingKey = tuple[str, str | None]


class Version:
    """
    A file before or after it was fixed, and what is found in it alone.

    Attributes:
        path: Its path.
        format: Its format.
        url: Where it is published.
        counts: How often each code is found.
        left: How often each code that can be fixed is found in each entry.
        new: The findings of codes that were not known.

    """

    def __init__(
        self,
        path: str,
        format: Format,
        url: str | None,
        codes: Collection[str] = (),
        known: Collection[str] = (),
    ) -> None:
        """
        Take a file, which is checked when it is read.

        Args:
            format: Its format.
            url: Where it is published.
            codes: Those that can be fixed.
            known: Codes that were found before.

        """
        self.path, self.format, self.url = path, format, url
        self.counts: Counter[str] = Counter()
        self.left: Counter[FindingKey] = Counter()
        self.new: list[Finding] = []
        self._codes, self._known = codes, known

    def _take(self, finding: Finding) -> None:
        self.counts[finding.code] += finding.times
        if finding.code in self._codes:
            self.left[key_of(finding, self.url)] += finding.times
        if self._codes and finding.code not in self._known:
            self.new.append(finding)

    def check(self) -> None:
        """Check it."""
        for _ in self.locs():
            pass

    def locs(self) -> Iterator[str]:
        """Check it, and give its URLs on the way."""
        with closing(Checking(report=self._take, marks_fixable=False)) as checking:
            opener = checking.opener(Opener(url=self.url, follows=False))
            try:
                with closing(opener.open([self.path], checking.report, _ignore)) as inputs:
                    for one in inputs:
                        for batch in one.batches:
                            yield from batch.locs()
            except InputError as error:
                checking.found(error.code, error.message, source=self.path, line=error.line)
            checking.finish()


def key_of(finding: Finding, url: str | None) -> FindingKey:
    """Return the key by which a finding in a file published there is known, before and after."""
    loc = finding.loc and (relative.resolve(finding.loc, url) or finding.loc)
    return finding.code, loc and _spelt(loc)


def _spelt(loc: str) -> str:
    """Escape a URL as --fix does; in any other way, it is another."""
    return uris.to_uri(loc) or loc


def _ignore(size: int) -> None:
    pass


def why_unsafe(old: Version, new: Version, codes: Collection[str]) -> str:
    """
    Return why the new version must not replace the old one; the empty string if it may.

    Args:
        codes: Those that were fixed. If that repaired markup, which hides what it contains, there
            must not be more findings of them; else, of any code.

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
    """Name the first URL that is gone, unless it stood before exactly so, or that is new."""
    seen = Seen()
    try:
        new = next(news, None)
        for old in olds:
            was_kept = seen.first(old, int(old == new))
            is_first = was_kept is None
            # The others are fixed in the same way.
            expected = (old, _spelt(old)) if is_first else (old if was_kept else _spelt(old),)
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
