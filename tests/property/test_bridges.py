"""Conversions to another format and back lose nothing."""

import io
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import (
    Alternate,
    Context,
    Document,
    Entry,
    News,
    Publication,
    read,
    target_of,
    write,
)
from sitemapx.convert.disk.spill import DigestSet, DiskQueue
from sitemapx.convert.formats.csv import languagetable
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.steps import Step, alternates, alternates_as_entries, news
from tests.effort import examples
from tests.property.values import plain_urls, texts


def _write(entries: list[Entry], name: str, *steps: Step, columns: Sequence[str] = ()) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "out")
        target = target_of(str(path), format=name, columns=columns)
        write(Document.from_entries(entries), target, steps=steps, report=ignore)
        return path.read_bytes()


def _read(data: bytes, name: str | None = None) -> list[Entry]:
    return list(read(io.BytesIO(data), format=name, report=ignore))


# ---- news

_dates = st.one_of(
    st.dates().filter(lambda date: date.year > 1900).map(str),
    st.datetimes()
    .filter(lambda time: time.year > 1900)
    .map(lambda time: f"{time.replace(microsecond=0).isoformat()}Z"),
)
_articles = st.builds(
    lambda loc, date, title, language: Entry(
        loc=loc,
        news=News(
            publication=Publication(name="The Times", language=language),
            publication_date=date,
            title=title,
        ),
    ),
    plain_urls,
    _dates,
    texts(),
    st.sampled_from(["en", "deu", "zh-cn", "zh-tw"]),
)


@given(st.lists(_articles, min_size=1, max_size=4, unique_by=lambda entry: entry.loc))
@examples(40)
def test_news_survive_rss(articles: list[Entry]) -> None:
    feed = _read(_write(articles, "rss"))
    back = _read(_write(feed, "sitemap", news("The Times", days=None)))

    assert [entry.news for entry in articles] == [entry.news for entry in back]


# ---- tables of languages

_CODES = ["en", "de-AT", "pt-BR", "zh-Hant-TW", "es-419", "id", "x-default"]


@st.composite
def _tables(draw: st.DrawFn) -> list[dict[str, str]]:
    """Draw tables of language versions: each URL is in one row, and the first row is complete."""
    codes = draw(st.lists(st.sampled_from(_CODES), min_size=2, max_size=5, unique=True))
    urls = draw(st.lists(plain_urls, min_size=20, max_size=20, unique=True))
    rows: list[dict[str, str]] = []
    for number in range(draw(st.integers(1, 4))):
        some = draw(st.lists(st.sampled_from(codes), min_size=1, unique=True)) if number else codes
        chosen = [code for code in codes if code in some]
        rows.append({code: urls[5 * number + n] for n, code in enumerate(chosen)})
    return rows


def _format_csv(rows: list[dict[str, str]]) -> bytes:
    sets = [tuple(Alternate(hreflang=code, href=url) for code, url in row.items()) for row in rows]
    entries = [Entry(loc=item.href, alternates=row) for row in sets for item in row]
    return _write(entries, "csv", columns=["languages"])


@given(_tables(), st.booleans())
@examples(40)
def test_language_table_survives_a_sitemap(rows: list[dict[str, str]], spills: bool) -> None:
    with _on_disk() if spills else nullcontext():
        table = _format_csv(rows)
        entries = _read(_write(_read(table, "csv"), "sitemap"))
        again = _write(entries, "csv", columns=["languages"])

    assert table == again
    assert [url for row in rows for url in dict.fromkeys(row.values())] == [e.loc for e in entries]
    for entry in entries:
        row = next(row for row in rows if entry.loc in row.values())
        assert row == {alternate.hreflang: alternate.href for alternate in entry.alternates}


# ---- alternates as entries


@contextmanager
def _on_disk() -> Iterator[None]:
    with (
        mock.patch.object(alternates, "DigestSet", partial(DigestSet, 0)),
        mock.patch.object(alternates, "DiskQueue", partial(DiskQueue, 0)),
        mock.patch.object(languagetable, "DigestSet", partial(DigestSet, 0)),
        mock.patch.object(languagetable, "DiskQueue", partial(DiskQueue, 0)),
    ):
        yield


_LOCS = [f"https://e.example/{name}" for name in "abcdef"]
_linked = st.builds(
    Entry,
    loc=st.sampled_from(_LOCS),
    language=st.sampled_from([None, "en"]),
    alternates=st.lists(
        st.builds(
            Alternate, hreflang=st.sampled_from(["en", "de", None]), href=st.sampled_from(_LOCS)
        ),
        max_size=3,
    ).map(tuple),
)


def _expand(entries: list[Entry]) -> list[Entry]:
    batches = alternates_as_entries.run(batched(entries), Context())
    return [entry for batch in batches for entry in batch.entries]


@given(st.lists(_linked, max_size=5))
@examples(60)
def test_each_version_becomes_one_entry(entries: list[Entry]) -> None:
    result = _expand(entries)
    locs = [entry.loc for entry in result]
    versions = {
        alternate.href for entry in result for alternate in entry.alternates if alternate.hreflang
    }
    added = locs[len(entries) :]

    assert locs[: len(entries)] == [entry.loc for entry in entries]
    assert versions <= set(locs)
    assert len(set(added)) == len(added)
    assert set(added).isdisjoint(entry.loc for entry in entries)
    assert _expand(result) == result
    with _on_disk():
        assert _expand(entries) == result
