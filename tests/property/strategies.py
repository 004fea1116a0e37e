"""Hypothesis strategies for entries that formats support."""

from typing import Any

from hypothesis import strategies as st
from lxml import etree

from sitemapx.convert import (
    Alternate,
    Enclosure,
    Entry,
    Image,
    News,
    Platform,
    Price,
    Publication,
    Restriction,
    Segment,
    TvShow,
    Uploader,
    Video,
    VideoId,
)
from tests.property.values import iris, optional, schema_dates, some, texts, w3c_dates

__all__ = ["alternates", "any_entries", "extras", "images", "sitemap_entries", "videos"]


# ---- parts

_LANGUAGES = st.sampled_from(["de", "de-CH", "zh-Hant-TW", "x-default", "es-419"])
_RELATIONSHIPS = st.sampled_from(["allow", "deny"])


def _tickers() -> Any:
    return st.lists(st.sampled_from(["NASDAQ:AMAT", "BOM:500325", "A:B"]), max_size=5).map(tuple)


_without_commas = texts(20).map(lambda text: text.replace(",", "").strip()).filter(bool)


def images(url: Any) -> st.SearchStrategy[Image]:
    return st.builds(
        Image,
        loc=url,
        title=optional(texts()),
        caption=optional(texts()),
        geo_location=optional(texts()),
        license=optional(url),
    )


_shows = st.builds(
    TvShow,
    show_title=texts(),
    video_type=st.sampled_from(["full", "preview", "clip", "interview", "news", "other"]),
    episode_title=optional(texts()),
    season_number=optional(st.integers(1, 10**9)),
    episode_number=optional(st.integers(1, 10**9)),
    premier_date=optional(schema_dates),
)


@st.composite
def videos(draw: st.DrawFn, url: Any) -> Video:
    """Draw a video; attributes are set only if their element has a value."""
    player = draw(optional(url))
    gallery = draw(optional(url))
    country = st.sampled_from(["IE", "GB", "US", "CA"])
    platform = st.sampled_from(["web", "mobile", "tv"])
    prices = st.builds(
        Price,
        price=st.sampled_from(["0", "1.99", "12.50"]),
        currency=st.sampled_from(["EUR", "USD"]),
        type=optional(st.sampled_from(["rent", "purchase"])),
        resolution=optional(st.sampled_from(["hd", "sd"])),
    )
    kinds = ["tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url"]
    return Video(
        thumbnail_loc=draw(url),
        title=draw(texts(100)),
        description=draw(texts(200)),
        content_loc=draw(url),
        player_loc=player,
        duration=draw(optional(st.integers(1, 28_800))),
        expiration_date=draw(optional(schema_dates)),
        rating=draw(optional(st.integers(0, 50).map(lambda tenths: tenths / 10))),
        view_count=draw(optional(st.integers(0, 10**15))),
        publication_date=draw(optional(schema_dates)),
        tags=draw(some(texts(20), 32)),
        category=draw(optional(texts(200))),
        family_friendly=draw(optional(st.booleans())),
        restriction=draw(
            optional(
                st.builds(
                    Restriction,
                    relationship=_RELATIONSHIPS,
                    countries=st.lists(country, min_size=1, max_size=4).map(tuple),
                )
            )
        ),
        platform=draw(
            optional(
                st.builds(
                    Platform,
                    relationship=_RELATIONSHIPS,
                    platforms=st.lists(platform, min_size=1, max_size=3).map(tuple),
                )
            )
        ),
        requires_subscription=draw(optional(st.booleans())),
        uploader=draw(optional(st.builds(Uploader, name=texts(200), info=optional(url)))),
        live=draw(optional(st.booleans())),
        gallery_loc=gallery,
        prices=draw(some(prices)),
        player_allow_embed=draw(optional(st.booleans())) if player else None,
        player_autoplay=draw(optional(texts(20))) if player else None,
        gallery_title=draw(optional(texts(20))) if gallery else None,
        content_segments=draw(
            some(st.builds(Segment, loc=url, duration=optional(st.integers(0, 28_800))))
        ),
        tvshow=draw(optional(_shows)),
        ids=draw(some(st.builds(VideoId, id=texts(20), type=st.sampled_from(kinds)))),
    )


_news = st.builds(
    News,
    publication=st.builds(
        Publication, name=texts(), language=st.sampled_from(["en", "deu", "zh-cn", "zh-tw"])
    ),
    publication_date=schema_dates,
    title=texts(),
    access=optional(st.sampled_from(["Subscription", "Registration"])),
    genres=some(st.sampled_from(["PressRelease", "Satire", "Blog", "OpEd", "Opinion"])),
    keywords=some(_without_commas),
    stock_tickers=_tickers(),
)


def alternates(url: Any) -> st.SearchStrategy[Alternate]:
    return st.builds(
        Alternate,
        hreflang=optional(_LANGUAGES),
        href=st.one_of(url, st.just("android-app://com.example/https/example.com/a")),
        rel=optional(st.sampled_from(["amphtml", "canonical"])),
        media=optional(st.just("only screen and (max-width: 640px)")),
        type=optional(st.just("application/xhtml+xml")),
        title=optional(texts(20)),
    )


@st.composite
def extras(draw: st.DrawFn, depth: int = 0) -> Any:
    """Draw foreign elements, nested in each other; only the outermost are serialized."""
    namespaces = ["urn:example:a", "http://example.com/ns#", "https://example.org/b"]
    inner = (
        [*namespaces, "", "http://www.sitemaps.org/schemas/sitemap/0.9"] if depth else namespaces
    )
    names = st.sampled_from(["note", "url", "loc", "sitemap", "A-b.c", "é"])
    namespace = draw(st.sampled_from(inner))
    # Readers would mistake the other names in an extra for entries, so writers reject these.
    harmless = names if namespace in namespaces else st.sampled_from(["note", "A-b.c", "é"])
    tag = f"{{{namespace}}}" * bool(namespace) + draw(harmless)
    prefix = draw(st.sampled_from(["x", "y", None]))
    element = etree.Element(tag, nsmap={prefix: namespace} if namespace else None)
    element.text = draw(optional(texts(20)))
    for name in draw(some(names, 2)):
        element.set(name, draw(texts(10)))
    if depth < 2:
        for child in draw(some(extras(depth + 1), 2)):
            element.append(child)
            child.tail = draw(optional(texts(10)))
    if depth:
        return element
    return etree.tostring(element, method="c14n", exclusive=True).decode()


# ---- entries

_priorities = st.integers(0, 1000).map(lambda part: part / 1000)
_changefreqs = st.sampled_from(
    ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]
)


def sitemap_entries(
    url: st.SearchStrategy[str] = iris, *, with_extras: bool = True
) -> st.SearchStrategy[Entry]:
    """Return a strategy for entries all of whose fields a sitemap supports."""
    return st.builds(
        Entry,
        loc=url,
        lastmod=optional(schema_dates),
        changefreq=optional(_changefreqs),
        priority=optional(_priorities),
        images=some(images(url)),
        videos=some(videos(url), 1),
        news=optional(_news),
        alternates=some(alternates(url)),
        mobile=optional(st.just(True)),
        extras=some(extras(), 2) if with_extras else st.just(()),
    ).filter(_has_other_files)


def _has_other_files(entry: Entry) -> bool:
    """Return whether each video has another URL than the page, as writers drop other videos."""
    return all(entry.loc not in (video.content_loc, video.player_loc) for video in entry.videos)


def any_entries(*, text: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Entry]:
    """Return a strategy for entries all of whose fields JSON Lines and CSV support."""
    text = text or texts()
    enclosures = st.builds(
        Enclosure, url=optional(iris), type=optional(text), length=optional(st.integers(0, 2**62))
    )
    return st.builds(
        Entry,
        loc=iris,
        lastmod=optional(w3c_dates),
        changefreq=optional(_changefreqs),
        priority=optional(_priorities),
        title=optional(text),
        description=optional(text),
        id=optional(text),
        published=optional(w3c_dates),
        language=optional(_LANGUAGES),
        authors=some(text),
        categories=some(text),
        images=some(images(iris)),
        videos=some(videos(iris), 1),
        news=optional(_news),
        alternates=some(alternates(iris)),
        enclosures=some(enclosures),
        mobile=optional(st.just(True)),
        extras=some(extras(), 2),
    )
