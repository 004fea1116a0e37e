"""
Whether a fixed file may replace its original.

It may if it is well-formed, no rule finds more in it than before, and each URL is still listed. All
of it is compared as it is read, so that the size of a file makes no difference to memory.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing

from lxml import etree

from sitemapx.convert import sources, urls
from sitemapx.convert.checking import Checking
from sitemapx.convert.findings import Finding
from sitemapx.convert.formats import Format
from sitemapx.convert.opening import Opener
from sitemapx.convert.problems import Context
from sitemapx.convert.reading import read
from sitemapx.convert.spilling import Seen
from sitemapx.errors import InputError

__all__ = ["Version", "why_unsafe"]

_CHUNK = 1 << 17


class Version:
    """
    A file before or after it was fixed, and what is found in it alone.

    Attributes:
        path: Its path.
        form: Its format.
        url: Where it is published.
        counts: How often each code is found.
        left: How often each code that can be fixed is found in each entry, by its URL.
        new: The findings of the codes that can be fixed, and were not known.

    """

    def __init__(
        self,
        path: str,
        form: Format,
        url: str | None,
        codes: Collection[str] = (),
        known: Collection[str] = (),
    ) -> None:
        """
        Take a file, which is checked when it is read.

        Args:
            form: Its format.
            url: Where it is published.
            codes: Those that can be fixed.
            known: Those of them that were found before.

        """
        self.path, self.form, self.url = path, form, url
        self.counts: Counter[str] = Counter()
        self.left: Counter[tuple[str, str | None]] = Counter()
        self.new: list[Finding] = []
        self._codes, self._known = codes, known

    def _take(self, finding: Finding) -> None:
        self.counts[finding.code] += 1
        if finding.code in self._codes:
            self.left[finding.code, finding.loc] += 1
            if finding.code not in self._known:
                self.new.append(finding)

    def check(self) -> None:
        """Check it."""
        for _ in self.locs():
            pass

    def locs(self) -> Iterator[str]:
        """Check it, and give its URLs on the way."""
        with closing(Checking(report=self._take)) as checking:
            opener = checking.opener(Opener(url=self.url, follows=False))
            try:
                with closing(opener.open([self.path], checking.report, _ignore)) as inputs:
                    for one in inputs:
                        for batch in one.batches:
                            yield from batch.locs()
            except InputError as error:
                checking.found(error.code, error.message, source=self.path, line=error.line)
            checking.finish()


def _spelt(loc: str) -> str:
    """Spell a URL as all that mean the same are spelt."""
    return urls.normal(urls.to_uri(loc) or loc)


def _ignore(size: int) -> None:
    pass


def why_unsafe(old: Version, new: Version) -> str:
    """Tell why the new version must not replace the old one; the empty string if it may."""
    if new.form.roots and (defect := _defect(new.path)):
        return f"the result would not be well-formed XML: {defect}"
    try:
        with read(new.path, source_url=new.url) as document:
            news = (loc for batch in document.batches for loc in batch.locs())
            if lost := _changed_url(map(_spelt, old.locs()), map(_spelt, news)):
                return lost
    except InputError as error:
        return f"the result cannot be read: {error.message}"
    more = new.counts - old.counts
    for code in sorted(more):
        counts = f"{new.counts[code]:,} instead of {old.counts[code]:,}"
        return f"the result would have more findings of {code}: {counts}"
    return ""


def _defect(path: str) -> str:
    """Parse strictly, and tell why it cannot be done."""
    parser = etree.XMLPullParser(("end",), resolve_entities=False, no_network=True, load_dtd=False)
    try:
        with sources.open_source(path) as opened:
            _, stream = sources.unpack(opened, Context())
            while data := stream.read(_CHUNK):
                parser.feed(data)
                for _, element in parser.read_events():
                    element.clear()
        parser.close()
    except etree.XMLSyntaxError as error:
        return error.msg or "it ends too early"
    except InputError as error:
        return error.message
    return ""


def _changed_url(olds: Iterator[str], news: Iterator[str]) -> str:
    """Name the first URL that is gone, unless it stood before it too, or that is new."""
    seen = Seen()
    try:
        new = next(news, None)
        for old in olds:
            is_first = seen.first(old, 0) is None
            if old == new:
                new = next(news, None)
            elif is_first:
                return f"the result would lack {old}"
        return "" if new is None else f"the result would list {new}, which was not read before"
    finally:
        seen.close()
