"""
Read what is no XML, with feedparser (https://feedparser.readthedocs.io), as feeds often are.

One broken item at a time, within the start of its feed; so it costs what the item is long, and
not what the feed is.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from sitemapx.convert import urls
from sitemapx.convert.entry import Enclosure, Entry, Image, Video
from sitemapx.convert.feeddates import parse_feed_date
from sitemapx.convert.mediarss import seconds_of
from sitemapx.convert.problems import Context

__all__ = ["read_loosely"]


def read_loosely(data: bytes, context: Context) -> list[Entry]:
    """
    Read the entries of a feed that is not well-formed.

    Args:
        data: The feed, as UTF-8.
        context: Of the whole feed; its address resolves relative links.

    """
    import feedparser

    # A stream, since feedparser takes bytes for the name of a file if there is one.
    parsed = feedparser.parse(BytesIO(data), sanitize_html=False, resolve_relative_uris=False)
    is_rss = str(parsed.get("version", "")).startswith("rss")
    return [_entry(said, context, is_rss) for said in parsed.entries]


def _entry(said: Mapping[str, Any], context: Context, is_rss: bool) -> Entry:
    published = _date(said, "published") or _date(said, "created")
    videos, images = _media(said)
    return Entry(
        loc=_loc(said, context, is_rss),
        lastmod=_date(said, "updated") or published,
        title=said.get("title") or None,
        description=said.get("summary") or _content(said),
        id=said.get("id") or None,
        published=published,
        authors=_names(said),
        categories=tuple(dict.fromkeys(t["term"] for t in said.get("tags", ()) if t.get("term"))),
        enclosures=tuple(
            _enclosure(one, context) for one in said.get("enclosures", ()) if one.get("href")
        ),
        videos=videos,
        images=images,
    )


def _loc(said: Mapping[str, Any], context: Context, is_rss: bool) -> str | None:
    """Take the alternate link, or a guid that is one; never an id that looks like a link."""
    links = said.get("links", ())
    hrefs = [link.get("href") for link in links if link.get("rel", "alternate") == "alternate"]
    if is_rss and said.get("guidislink"):
        hrefs.append(said.get("link"))
    href = hrefs[0] if hrefs else None
    loc = urls.resolve(urls.clean(href), context.url) if href else None
    return loc if loc and urls.is_absolute(loc) else None


def _date(said: Mapping[str, Any], name: str) -> str | None:
    # feedparser answers `updated` with `published` where there is none, and warns
    return parse_feed_date(said[name]) if name in said.keys() else None  # noqa: SIM118


def _content(said: Mapping[str, Any]) -> str | None:
    contents = said.get("content") or [{}]
    return contents[0].get("value") or None


def _names(said: Mapping[str, Any]) -> tuple[str, ...]:
    names = [author.get("name") for author in said.get("authors", ())]
    return tuple(dict.fromkeys(name for name in names if name)) or (
        (said["author"],) if said.get("author") else ()
    )


def _enclosure(one: Mapping[str, Any], context: Context) -> Enclosure:
    length = str(one.get("length") or "")
    return Enclosure(
        url=urls.resolve(one["href"], context.url) or one["href"],
        type=one.get("type") or None,
        length=int(length) if length.isdecimal() and len(length) < 19 else None,
    )


def _media(said: Mapping[str, Any]) -> tuple[tuple[Video, ...], tuple[Image, ...]]:
    """Take what feedparser knows of Media RSS: addresses, kinds and durations."""
    videos: list[Video] = []
    images: list[Image] = []
    thumbnail = (said.get("media_thumbnail") or [{}])[0].get("url")
    for one in said.get("media_content", ()):
        kind = one.get("medium") or str(one.get("type", "")).partition("/")[0]
        seconds = str(one.get("duration", ""))
        if one.get("url") and kind == "video":
            videos.append(
                Video(
                    content_loc=one["url"],
                    thumbnail_loc=thumbnail,
                    title=said.get("title"),
                    description=said.get("summary"),
                    duration=seconds_of(seconds),
                )
            )
        elif one.get("url") and kind == "image":
            images.append(Image(loc=one["url"]))
    return tuple(videos), tuple(images)
