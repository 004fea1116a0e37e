"""Written feeds are read by sitemapx, feedparser and fastfeedparser."""

import io
from datetime import datetime
from typing import Any

import fastfeedparser
import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import Context, Document, Enclosure, Entry, Head, Image, Video, read
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values.w3cdate import moment
from tests.effort import examples

XML = ["rss", "mrss", "atom"]  # feedparser and fastfeedparser read no other
FORMATS = [*XML, "jsonfeed"]
HEAD = Head(
    title="T & Co",
    link="https://e.example/",
    description="D",
    language="en",
    id="tag:e.example,2026:feed",
    authors=("A & B",),
    updated="2026-01-02T03:04:05Z",
)

#: feedparser fixes what looks like UTF-8 read as Latin-1, so not every mixture of letters.
_text = st.text("abz<>&\"'ñ漢字", min_size=1, max_size=20)
_url = st.from_regex(r"https://e\.example/[a-z0-9]{1,8}(\?a=[0-9]&b='x')?", fullmatch=True)
_instant = st.datetimes(datetime(2000, 1, 1), datetime(2049, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0)
)
_date = _instant.map(lambda d: f"{d.isoformat()}Z")
_video = st.builds(
    Video,
    title=_text,
    description=_text,
    content_loc=_url,
    player_loc=st.none() | _url,
    thumbnail_loc=st.none() | _url,
    duration=st.none() | st.integers(1, 28_800),
    publication_date=_date,
    expiration_date=st.none() | _date,
    rating=st.none() | st.integers(0, 50).map(lambda n: n / 10),
    view_count=st.none() | st.integers(0, 10**9),
    tags=st.lists(st.from_regex("[a-z]{1,8}", fullmatch=True), unique=True).map(tuple),
    family_friendly=st.none() | st.booleans(),
)
_entry = st.builds(
    Entry,
    loc=_url,
    title=_text,
    description=st.none() | _text,
    id=st.from_regex("tag:[a-z0-9ñ漢]{1,9}", fullmatch=True),
    published=_date,
    lastmod=_date,
    authors=st.lists(_text, min_size=1, max_size=1).map(tuple),  # else the feed's count in Atom
    categories=st.lists(_text, unique=True, max_size=3).map(tuple),
    enclosures=st.lists(
        st.builds(Enclosure, url=_url, type=st.just("audio/mpeg"), length=st.integers(0, 10**9)),
        max_size=1,
    ).map(tuple),
)
_KEPT = ("loc", "title", "id", "published", "lastmod", "authors")
_media = st.builds(
    lambda entry, videos, images: Entry(
        **{name: getattr(entry, name) for name in _KEPT},
        videos=tuple(videos),
        images=tuple(images),
    ),
    _entry,
    st.lists(_video, max_size=2),
    st.lists(st.builds(Image, loc=_url, title=st.none() | _text), max_size=2),
)


def _write(name: str, entries: list[Entry]) -> bytes:
    writer = by_name(name).writer(Context())
    data = writer.encode(Batch(entries)).data.removeprefix(writer.separator)
    parts = [writer.start(HEAD, ()), data, writer.finish()]
    return b"".join(parts)


def _read(data: bytes) -> Document:
    return read(io.BytesIO(data))


@pytest.mark.parametrize("name", FORMATS)
@examples(30)
@given(entries=st.lists(_entry, min_size=1, max_size=4))
def test_entries_are_kept(name: str, entries: list[Entry]) -> None:
    document = _read(_write(name, entries))

    assert entries == list(document)
    assert {field: getattr(HEAD, field) for field in by_name(name).head} == {
        field: getattr(document.head, field) for field in by_name(name).head
    }


@examples(30)
@given(entries=st.lists(_media, min_size=1, max_size=3))
def test_media_are_kept(entries: list[Entry]) -> None:
    assert entries == list(_read(_write("mrss", entries)))


@pytest.mark.parametrize("name", FORMATS)
@examples(30)
@given(entries=st.lists(_entry | _media, min_size=1, max_size=4))
def test_second_writing_changes_nothing(name: str, entries: list[Entry]) -> None:
    once = _write(name, entries)

    assert once == _write(name, list(_read(once)))


def _select_facts(entry: Any) -> tuple[Any, ...]:
    return entry["link"], entry["title"], entry["id"]


@pytest.mark.parametrize("name", XML)
@examples(30)
@given(entries=st.lists(_entry, min_size=1, max_size=4))
def test_other_parsers_read_the_same(name: str, entries: list[Entry]) -> None:
    data = _write(name, entries)
    expected = [(entry.loc, entry.title, entry.id) for entry in entries]
    theirs = feedparser.parse(data, sanitize_html=False, resolve_relative_uris=False)

    assert not theirs.bozo
    assert expected == [_select_facts(entry) for entry in theirs.entries]
    published = [moment(entry.published or "").timetuple()[:6] for entry in entries]
    assert published == [tuple(entry.published_parsed[:6]) for entry in theirs.entries]
    assert expected == [_select_facts(entry) for entry in fastfeedparser.parse(data).entries]
