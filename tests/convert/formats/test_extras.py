"""Foreign elements that readers of feeds might mistake for fields."""

import io

import pytest
from msgspec.structs import replace

from sitemapx.convert import Context, Entry, Head, Image, Problem, Video, read
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import clock as times
from sitemapx.convert.xml.namespaces import NAMESPACES

_PAGE = "https://e.example/a"
_VIDEO = Video(title="t", description="d", content_loc="https://e.example/v.mp4")
_ENTRIES = {
    "plain": Entry(loc=_PAGE, title="t", description="d", id=_PAGE),
    "video": Entry(
        loc=_PAGE,
        title="t",
        description="d",
        id=_PAGE,
        lastmod="2026-01-02T03:04:05Z",
        videos=(_VIDEO,),
    ),
    "image": Entry(
        loc=_PAGE,
        title="t",
        description="d",
        id=_PAGE,
        lastmod="2026-01-02T03:04:05Z",
        images=(Image(loc="https://e.example/i"),),
    ),
    "untitled": Entry(loc=_PAGE, description="d", id=_PAGE),
    "undescribed": Entry(loc=_PAGE, title="t", id=_PAGE),
}
_ELEMENTS = (
    *('media:content url="https://e.example/x.mp4"', 'media:thumbnail url="https://e.example/x"'),
    *('media:player url="https://e.example/x"', "media:title", "media:description"),
    *("media:rating", "media:keywords", "media:community", "media:x", "image:image", "image:loc"),
    *("news:news", "news:title", "video:video", "video:title", "itunes:duration", "itunes:author"),
    *("dcterms:valid", "dcterms:issued", "dc:date", "dc:creator", "dc:subject", "dc:title"),
    *('atom:link rel="enclosure" href="https://e.example/x"', "content:encoded", "itunes:image"),
)


def _format_extra(element: str) -> str:
    prefix, name = element.partition(":")[0], element.partition(" ")[0]
    text = "2024-05-08" if name in ("dc:date", "dcterms:issued") else "x"
    xmlns = f'xmlns:{prefix}="{NAMESPACES[prefix]}"'
    return f"<{name} {xmlns}{element.removeprefix(name)}>{text}</{name}>"


def _write_and_read(entry: Entry, name: str, problems: list[Problem]) -> Entry:
    writer = by_name(name).writer(Context(problems.append))
    data = writer.start(Head(updated="2026-01-02"), ())
    data += writer.encode(Batch([entry])).data + writer.finish()
    (again,) = read(io.BytesIO(data), format=name)
    return again


@pytest.fixture(autouse=True)
def _fixed_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the date that Atom requires of each entry."""
    monkeypatch.setattr(times, "now", lambda: "2026-01-02T03:04:05Z")


@pytest.mark.parametrize("name", ["rss", "mrss", "atom"])
@pytest.mark.parametrize("kind", _ENTRIES)
@pytest.mark.parametrize("element", _ELEMENTS)
def test_extra_is_read_back_or_reported(element: str, kind: str, name: str) -> None:
    entry, extra = _ENTRIES[kind], _format_extra(element)
    reported: list[Problem] = []
    result = _write_and_read(replace(entry, extras=(extra,)), name, reported)
    alone = _write_and_read(entry, name, [])
    skipped = [problem for problem in reported if "foreign element" in problem.message]
    assert result == replace(alone, extras=() if skipped else (extra,))
