"""Steps: what is chosen, moved and sorted is what was asked for, in memory and on disk."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import Context, Entry
from sitemapx.convert.disk.spill import DigestSet, Sorter
from sitemapx.convert.model.batch import Batch, Columns, batched
from sitemapx.convert.steps import (
    Step,
    assign,
    drop,
    exclude,
    filters,
    include,
    newest,
    order,
    rewrite,
    since,
    sort,
    strip_params,
    unique,
)
from sitemapx.convert.steps.step import each
from sitemapx.convert.values.uris import are_normalized, normalize, to_uri
from sitemapx.convert.values.w3cdate import moment
from tests.effort import examples
from tests.property.strategies import any_entries
from tests.property.values import iris, optional, w3c_dates

#: Few of everything, so that much is alike.
_LOCS = st.builds(
    "{}://{}/{}".format,
    st.sampled_from(["http", "HTTPS", "https"]),
    st.sampled_from(["e.example", "E.example:443", "é.example"]),
    st.sampled_from(["", "a", "./a", "b?sid=1&c", "%61", "é", "%c3%a9", "b;sid=2"]),
)
_DATES = st.sampled_from(["2024", "2024-05", "2024-05-08", "2024-05-08T10:00+02:00"])
_SMALL = st.builds(
    Entry,
    loc=st.none() | _LOCS,
    lastmod=optional(_DATES),
    published=optional(_DATES),
    id=optional(st.sampled_from("12")),
    title=optional(st.sampled_from("xy")),
)
_lists = st.lists(_SMALL, max_size=12)


def after(step: Step, entries: list[Entry]) -> list[Entry]:
    """Let a step run."""
    batches = step.run(batched(entries), Context())
    return [entry for batch in batches for entry in batch.entries]


@contextmanager
def keeping(in_memory: int) -> Iterator[None]:
    """Keep so much in memory, and the rest on disk."""
    seen = mock.patch.object(filters, "DigestSet", partial(DigestSet, in_memory))
    sorter = mock.patch.object(order, "Sorter", partial(Sorter, in_memory))
    with seen, sorter:
        yield


@given(_lists, st.sampled_from([("loc",), ("id",), ("loc", "id")]), st.integers(0, 3))
@examples(60)
def test_unique(entries: list[Entry], fields: Any, in_memory: int) -> None:
    """The first of each stays, in order; a second time changes nothing; nor does the disk."""
    once = after(unique(fields), entries)
    locs = [normalize(entry.loc) for entry in once if entry.loc]
    first = {normalize(entry.loc): entry for entry in reversed(entries) if entry.loc}

    assert after(unique(fields), once) == once
    with keeping(in_memory):
        assert after(unique(fields), entries) == once
    if fields == ("loc",):
        assert list(dict.fromkeys(normalize(entry.loc) for entry in entries if entry.loc)) == locs
        assert [first[loc] for loc in locs] == [entry for entry in once if entry.loc]
        assert [e for e in once if not e.loc] == [e for e in entries if not e.loc]
    else:
        ids = [entry.id or entry.loc for entry in once if entry.id or entry.loc]
        assert len(set(ids)) == len(ids)


@given(_lists, st.sampled_from(["loc", "lastmod"]), st.integers(0, 500))
@examples(60)
def test_sort(entries: list[Entry], by: Any, in_memory: int) -> None:
    """Sorting keeps all entries, and the order of those that are alike; so does the disk."""

    def key(entry: Entry) -> Any:
        if by == "loc":
            return (entry.loc is None, entry.loc and (to_uri(entry.loc) or entry.loc))
        date = entry.lastmod or entry.published
        return (date is None, -moment(date).timestamp() if date else 0)

    found = after(sort(by), entries)

    assert sorted(entries, key=key) == found
    with keeping(in_memory):
        assert found == after(sort(by), entries)


@given(st.lists(any_entries(), max_size=3), st.sampled_from(["loc", "lastmod"]))
@examples(15)
def test_sorting_loses_nothing(entries: list[Entry], by: Any) -> None:
    """Whatever is in entries comes back from the disk."""
    with keeping(0):
        assert Counter(entries) == Counter(after(sort(by), entries))


@given(_lists, st.integers(1, 5))
@examples(20)
def test_newest(entries: list[Entry], limit: int) -> None:
    """The newest are the first of all, sorted by date."""
    assert after(sort("lastmod"), entries)[:limit] == after(newest(limit), entries)


_PATTERNS = ["/a*", "http://*", "*é*", "re:[a-c]$", "re:(?i)https", "nothing"]


@given(_lists, st.lists(st.sampled_from(_PATTERNS), max_size=3))
@examples(40)
def test_include_and_exclude(entries: list[Entry], patterns: list[str]) -> None:
    """Each entry is either included or excluded, and one pattern after the other is any."""
    kept = after(include(patterns), entries)
    left = after(exclude(patterns), entries)
    one_by_one = [entry for each in patterns for entry in after(include([each]), entries)]

    assert Counter(entries) == Counter(kept + left)
    assert set(one_by_one) == set(kept)


_moments = w3c_dates.filter(lambda date: "0001" < date[:4] < "9999")  # in UTC as well


@given(_lists, _moments, _moments)
@examples(40)
def test_since(entries: list[Entry], one: str, other: str) -> None:
    """What changed since a date changed since any earlier one; and at least at its own date."""
    early, late = sorted([one, other], key=moment)
    kept = after(since(early), entries)

    assert set(after(since(late), entries)) <= set(kept)
    assert [entry for entry in entries if (entry.lastmod or entry.published) == early] == [
        entry for entry in kept if (entry.lastmod or entry.published) == early
    ]
    assert after(since(one), [Entry(lastmod=one)])


@given(st.lists(any_entries(), max_size=3), st.data())
@examples(25)
def test_rewrite_back_and_forth(entries: list[Entry], data: st.DataObject) -> None:
    """What is moved to where nothing was, and back, is as it was (its host in small letters)."""
    hosts = {urlsplit(entry.loc or "").netloc for entry in entries}
    host = data.draw(st.sampled_from(["example.invalid", *sorted(hosts)]))
    there = after(rewrite([(host, "moved.invalid/to")]), entries)
    back = after(rewrite([("moved.invalid/to", host)]), there)
    pairs = zip(entries, there, strict=True)

    assert all(
        old != new for old, new in pairs if urlsplit(old.loc or "").netloc.lower() == host.lower()
    )
    assert after(rewrite([(host, host)]), entries) == back


@given(st.lists(st.builds(Entry, loc=iris | _LOCS), max_size=5))
@examples(40)
def test_strip_params(entries: list[Entry]) -> None:
    """No parameter of the name is left, all others are, and other URLs are untouched."""

    def params(entry: Entry, *names: str) -> list[str]:
        query = urlsplit(entry.loc or "").query
        found = parse_qsl(query, keep_blank_values=True, encoding="latin-1")
        return [name for name, _ in found if name not in names]

    found = after(strip_params(["s?d"]), entries)

    assert [params(entry, "sid") for entry in entries] == [params(entry) for entry in found]
    assert [e for e in entries if "s" not in str(e.loc)[8:]] == [
        new for new, old in zip(found, entries, strict=True) if "s" not in str(old.loc)[8:]
    ]


# ---- batches of columns

_STEPS: dict[str, Callable[[], Step]] = {
    "include": lambda: include(["/*"]),
    "exclude": lambda: exclude(["re:b$"]),
    "since": lambda: since("2024-05"),
    "unique": unique,
    "rewrite": lambda: rewrite([("e.example", "f.example")]),
    "strip-params": lambda: strip_params(["sid"]),
    "drop": lambda: drop(["lastmod", "title"]),
    "set": lambda: assign({"priority": "0.5", "lastmod": "2025"}),
    "title": lambda: each("title", lambda batch: batch.with_column("title", batch.locs()), ()),
}
_rows = st.lists(st.tuples(_LOCS, optional(_DATES), st.sampled_from([None, "x"])), max_size=8)


@pytest.mark.parametrize("name", _STEPS)
def test_columns(name: str) -> None:
    """A step says of columns what it says of the entries they stand for, and makes none."""
    step = _STEPS[name]()

    @given(_rows)
    @examples(30)
    def check(rows: list[tuple[str, str | None, str | None]]) -> None:
        locs, dates, titles = (
            (list(column) for column in zip(*rows, strict=True)) if rows else [[]] * 3
        )
        others = [frozenset({"title"} if title else ()) for title in titles]
        columns = Columns(locs, {"lastmod": dates}, others)
        whole = Batch([Entry(loc=loc, lastmod=date, title=title) for loc, date, title in rows])
        found = _only(step.run(iter([columns]), Context()))
        expected = _only(step.run(iter([whole]), Context()))

        assert isinstance(found, Columns) or not expected
        assert expected.field_counts() == found.field_counts()
        assert list(expected.locs()) == list(found.locs())
        for name in ("lastmod", "priority", "images"):
            assert expected.column(name) == list(found.column(name))

    check()


def _only(batches: Iterator[Batch]) -> Batch:
    (batch,) = list(batches) or [Batch([])]
    return batch


# ---- normal URLs


@given(st.lists(iris | _LOCS, max_size=3))
@examples(100)
def test_normal(urls: list[str]) -> None:
    """A URL is normalized once; what is said to be normal is not changed."""
    found = [normalize(url) for url in urls]

    assert found == [normalize(url) for url in found]
    if are_normalized(urls):
        assert urls == found


@pytest.mark.parametrize(
    "url",
    [
        *(
            "https://e.example/?a'b",
            "https://e.example/%7E",
            "https://e.example/%c3",
            "https://1.2/",
        ),
        *("https://e.example/a/./b", "https://e.example/..", "https://e.example", "https://e.1/"),
        *("https://e.example:443/", "https://E.example/", "https://e.example/a b", "a\nb"),
    ],
)
def test_not_normal(url: str) -> None:
    """What would be written in another way is not said to be normal."""
    assert not are_normalized(["https://e.example/", url])


@pytest.mark.parametrize("name", _STEPS)
def test_nothing_is_gathered(name: str) -> None:
    """A step that looks at one entry after the other gives it as soon as it has it."""

    def endless() -> Iterator[Batch]:
        while True:
            yield Batch([Entry(loc="https://e.example/", lastmod="2025")])

    assert len(next(_STEPS[name]().run(endless(), Context()))) == 1
