"""Steps select, change and sort entries in the same way in memory and on disk."""

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
    head,
    include,
    order,
    rewrite,
    sample,
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

#: Few distinct values, so that many entries are equal.
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


def run_step(step: Step, entries: list[Entry]) -> list[Entry]:
    batches = step.run(batched(entries), Context())
    return [entry for batch in batches for entry in batch.entries]


@contextmanager
def keeping(in_memory: int) -> Iterator[None]:
    """Limit the number of entries that steps keep in memory, so that they use the disk."""
    seen = mock.patch.object(filters, "DigestSet", partial(DigestSet, in_memory))
    sorter = mock.patch.object(order, "Sorter", partial(Sorter, in_memory))
    with seen, sorter:
        yield


@given(_lists, st.sampled_from([("loc",), ("id",), ("loc", "id")]), st.integers(0, 3))
@examples(60)
def test_unique_keeps_the_first(entries: list[Entry], fields: Any, in_memory: int) -> None:
    once = run_step(unique(fields), entries)
    locs = [normalize(entry.loc) for entry in once if entry.loc]
    first = {normalize(entry.loc): entry for entry in reversed(entries) if entry.loc}

    assert run_step(unique(fields), once) == once
    with keeping(in_memory):
        assert run_step(unique(fields), entries) == once
    if fields == ("loc",):
        assert list(dict.fromkeys(normalize(entry.loc) for entry in entries if entry.loc)) == locs
        assert [first[loc] for loc in locs] == [entry for entry in once if entry.loc]
        assert [e for e in once if not e.loc] == [e for e in entries if not e.loc]
    else:
        ids = [entry.id or entry.loc for entry in once if entry.id or entry.loc]
        assert len(set(ids)) == len(ids)


@given(_lists, st.sampled_from(["loc", "lastmod"]), st.integers(0, 500))
@examples(60)
def test_sort_is_stable_and_complete(entries: list[Entry], by: Any, in_memory: int) -> None:
    def key(entry: Entry) -> Any:
        if by == "loc":
            return (entry.loc is None, entry.loc and (to_uri(entry.loc) or entry.loc))
        date = entry.lastmod or entry.published
        return (date is None, -moment(date).timestamp() if date else 0)

    result = run_step(sort(by), entries)

    assert sorted(entries, key=key) == result
    with keeping(in_memory):
        assert result == run_step(sort(by), entries)


@given(st.lists(any_entries(), max_size=3), st.sampled_from(["loc", "lastmod"]))
@examples(15)
def test_sorting_on_disk_keeps_all_fields(entries: list[Entry], by: Any) -> None:
    with keeping(0):
        assert Counter(entries) == Counter(run_step(sort(by), entries))


# ---- parts


@given(_lists, st.integers(1, 14), st.integers(1, 5))
@examples(60)
def test_head_keeps_first_entries_and_stops_reading(
    entries: list[Entry], count: int, size: int
) -> None:
    parts = [entries[at : at + size] for at in range(0, len(entries), size)]
    batches = iter([Batch(part) for part in parts])
    kept = [entry for batch in head(count).run(batches, Context()) for entry in batch.entries]

    assert entries[:count] == kept
    assert len(list(batches)) == len(parts) - min(len(parts), -(-count // size))


@given(st.lists(any_entries(), max_size=6), st.integers(1, 8), st.integers(0, 5))
@examples(40)
def test_sample_is_some_of_the_entries_in_order(
    entries: list[Entry], count: int, seed: int
) -> None:
    kept = run_step(sample(count, seed=seed), entries)
    rest = iter(entries)

    assert min(count, len(entries)) == len(kept)
    assert all(any(entry is other for other in rest) for entry in kept)
    assert kept == run_step(sample(count, seed=seed), entries)


def test_sample_picks_each_entry_equally_often() -> None:
    entries = [Entry(id=str(number)) for number in range(10)]
    counts = Counter(e.id for seed in range(3000) for e in run_step(sample(3, seed=seed), entries))

    assert 10 == len(counts)
    assert all(abs(count - 900) < 125 for count in counts.values())  # 5 standard deviations


# ---- filters and changes

_PATTERNS = ["/a*", "http://*", "*é*", "re:[a-c]$", "re:(?i)https", "/nothing"]


@given(_lists, st.lists(st.sampled_from(_PATTERNS), max_size=3))
@examples(40)
def test_exclude_complements_include(entries: list[Entry], patterns: list[str]) -> None:
    kept = run_step(include(patterns), entries)
    left = run_step(exclude(patterns), entries)
    one_by_one = [entry for each in patterns for entry in run_step(include([each]), entries)]

    assert Counter(entries) == Counter(kept + left)
    assert set(one_by_one) == set(kept)


_moments = w3c_dates.filter(lambda date: "0001" < date[:4] < "9999")  # in UTC as well


@given(_lists, _moments, _moments)
@examples(40)
def test_since_keeps_later_dates(entries: list[Entry], date: str, other_date: str) -> None:
    early, late = sorted([date, other_date], key=moment)
    kept = run_step(since(early), entries)

    assert set(run_step(since(late), entries)) <= set(kept)
    assert [entry for entry in entries if (entry.lastmod or entry.published) == early] == [
        entry for entry in kept if (entry.lastmod or entry.published) == early
    ]
    assert run_step(since(date), [Entry(lastmod=date)])


@given(st.lists(any_entries(), max_size=3), st.data())
@examples(25)
def test_rewrite_can_be_reversed(entries: list[Entry], data: st.DataObject) -> None:
    hosts = {urlsplit(entry.loc or "").netloc for entry in entries}
    host = data.draw(st.sampled_from(["example.invalid", *sorted(hosts)]))
    there = run_step(rewrite([(host, "moved.invalid/to")]), entries)
    back = run_step(rewrite([("moved.invalid/to", host)]), there)
    pairs = zip(entries, there, strict=True)

    assert all(
        old != new for old, new in pairs if urlsplit(old.loc or "").netloc.lower() == host.lower()
    )
    assert run_step(rewrite([(host, host)]), entries) == back


@given(st.lists(st.builds(Entry, loc=iris | _LOCS), max_size=5))
@examples(40)
def test_only_named_parameters_are_stripped(entries: list[Entry]) -> None:
    def params(entry: Entry, *names: str) -> list[str]:
        query = urlsplit(entry.loc or "").query
        result = parse_qsl(query, keep_blank_values=True, encoding="latin-1")
        return [name for name, _ in result if name not in names]

    result = run_step(strip_params(["s?d"]), entries)

    assert [params(entry, "sid") for entry in entries] == [params(entry) for entry in result]
    assert [e for e in entries if "s" not in str(e.loc)[8:]] == [
        new for new, old in zip(result, entries, strict=True) if "s" not in str(old.loc)[8:]
    ]


# ---- batches of columns

_STEPS: dict[str, Callable[[], Step]] = {
    "include": lambda: include(["/*"]),
    "exclude": lambda: exclude(["re:b$"]),
    "since": lambda: since("2024-05"),
    "unique": unique,
    "head": lambda: head(2),
    "rewrite": lambda: rewrite([("e.example", "f.example")]),
    "strip-params": lambda: strip_params(["sid"]),
    "drop": lambda: drop(["lastmod", "title"]),
    "set": lambda: assign({"priority": "0.5", "lastmod": "2025"}),
    "title": lambda: each("title", lambda batch: batch.with_column("title", batch.locs()), ()),
}
_rows = st.lists(st.tuples(_LOCS, optional(_DATES), st.sampled_from([None, "x"])), max_size=8)


@pytest.mark.parametrize("name", _STEPS)
def test_columns_give_the_same_as_entries(name: str) -> None:
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
        result = _only(step.run(iter([columns]), Context()))
        expected = _only(step.run(iter([whole]), Context()))

        assert isinstance(result, Columns) or not expected
        assert expected.field_counts() == result.field_counts()
        assert list(expected.locs()) == list(result.locs())
        for name in ("lastmod", "priority", "images"):
            assert expected.column(name) == list(result.column(name))

    check()


def _only(batches: Iterator[Batch]) -> Batch:
    (batch,) = list(batches) or [Batch([])]
    return batch


# ---- normal URLs


@given(st.lists(iris | _LOCS, max_size=3))
@examples(100)
def test_normalized_url_is_stable(urls: list[str]) -> None:
    result = [normalize(url) for url in urls]

    assert result == [normalize(url) for url in result]
    if are_normalized(urls):
        assert urls == result


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
def test_url_is_not_normalized(url: str) -> None:
    assert not are_normalized(["https://e.example/", url])


@pytest.mark.parametrize("name", _STEPS)
def test_step_yields_without_gathering(name: str) -> None:
    def endless() -> Iterator[Batch]:
        while True:
            yield Batch([Entry(loc="https://e.example/", lastmod="2025")])

    assert len(next(_STEPS[name]().run(endless(), Context()))) == 1
