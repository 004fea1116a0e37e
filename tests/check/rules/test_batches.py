"""`Check.check_batch` of single checks: the findings for a batch, without a file or a run."""

import pickle
from collections.abc import Sequence

import pytest

from sitemapx.check.api import Check, CheckContext
from sitemapx.check.findings import RawFinding
from sitemapx.check.positions import positions_in
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.rules.duplicates import Duplicates
from sitemapx.check.rules.escaping import Escaping
from sitemapx.check.rules.registry import CHECKS, RULES
from sitemapx.check.rules.urls import Addresses
from sitemapx.check.urlindex import UrlIndex
from sitemapx.check.view import BatchUrls, BatchView, File
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Alternate, Entry, Image, News, Video
from sitemapx.convert.streams.stream import Lines

_FILE = File("sitemap.xml", "https://e.example/sitemap.xml", "sitemap")
_RICH = [
    Entry(
        loc=f"https://e.example/{n}#{n}",
        lastmod="1970-01-01",
        priority=0.5,
        alternates=(Alternate(hreflang="xx", href=f"https://E.example/{n}"),),
        images=(Image(loc="a.png", title="&amp;"),),
        videos=(Video(duration=0),),
        news=News(publication_date="2000-01-01"),
    )
    for n in (1, 2, 2)
]


def _context() -> CheckContext:
    return CheckContext(UrlIndex(), RobotsTexts(), RULES.keys(), {}, "2026-01-01T00:00:00Z")


def _view(entries: Sequence[Entry]) -> BatchView:
    lines = Lines([entry.loc or "" for entry in entries], 1)
    return BatchView(Batch(entries), _FILE, positions_in(lines))


def _pages(*locs: str) -> BatchView:
    return _view([Entry(loc=loc) for loc in locs])


def _look(check: type[Check], view: BatchView) -> list[tuple[str, int | None, str | None]]:
    findings = check(_context()).check_batch(view).findings
    return [(finding.code, finding.position.line, finding.loc) for finding in findings]


def test_checks_return_findings() -> None:
    plain = "https://e.example/a"
    view = _pages(plain, f"{plain}%2520b", f"{plain}#b")

    assert _look(Escaping, view) == [("escaped-twice", 2, f"{plain}%2520b")]
    assert _look(Addresses, view) == [("loc-fragment", 3, f"{plain}#b")]


@pytest.mark.parametrize("check", CHECKS, ids=[one.__name__ for one in CHECKS])
def test_check_batch_is_pure(check: type[Check]) -> None:
    one, view = check(_context()), _view(_RICH)
    first = one.check_batch(view)
    one.check_batch(_pages("https://other.example/"))

    assert one.check_batch(_view(_RICH)) == first


@pytest.mark.parametrize("check", CHECKS, ids=[one.__name__ for one in CHECKS])
def test_pickled_looks_merge_to_the_same_findings(check: type[Check]) -> None:
    assert _merge(check, is_pickled=True) == _merge(check, is_pickled=False)


def _merge(check: type[Check], *, is_pickled: bool) -> list[RawFinding]:
    context = _context()
    one = check(context)
    found = list(one.begin_file(_FILE) or ())
    context.listed.add_file(_FILE.source or "")
    for view in (_view(_RICH), _pages("https://e.example/1", "http://e.example/x/")):
        seen = one.check_batch(view).partial, view.urls
        partial, urls = pickle.loads(pickle.dumps(seen)) if is_pickled else seen
        found += one.merge(partial, context.listed.add_batch(urls), _FILE) or ()
    found += one.end_run() or ()
    one.close()
    context.listed.close()
    return found


def test_duplicate_of_an_earlier_batch_is_found() -> None:
    context = _context()
    check = Duplicates(context)
    context.listed.add_file("sitemap.xml")
    found: list[RawFinding] = []
    for view in (
        _pages("https://e.example/a"),
        _pages("https://e.example/b", "https://E.example/a"),
    ):
        batch = context.listed.add_batch(view.urls)
        found += check.merge(check.check_batch(view).partial, batch, _FILE)
    context.listed.close()

    assert [(finding.code, finding.position.line) for finding in found] == [("equivalent-loc", 2)]


def test_urls_are_computed_once() -> None:
    urls = BatchUrls.of_batch(Batch([Entry(loc="https://E.example/")]), "", None)

    assert urls.unnormalized == {0: "https://e.example/"}
    assert urls.normals is urls.normals
    assert list(pickle.loads(pickle.dumps(urls)).normals) == ["https://e.example/"]
    assert urls.hashes_of(["https://e.example/"]) == list(urls.hashes)
