"""
Reads malformed items with feedparser (https://feedparser.readthedocs.io).

Each item is parsed alone, within the start tags of its feed, so that only malformed items take more
time.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from msgspec.structs import replace

from sitemapx.convert.formats.format import Context
from sitemapx.convert.html.text import as_html, plain_text
from sitemapx.convert.model.entry import Enclosure, Entry, has
from sitemapx.convert.values import relative, urls
from sitemapx.convert.values.dates import parse_feed_date

#: Fields for which feedparser is preferred to XML recovery.
_PLAIN = ("loc", "lastmod", "title", "description", "id", "published", "authors", "enclosures")


def merge_loosely_read(data: bytes, ours: Entry, context: Context) -> Entry:
    """
    Merge the results of feedparser and of XML recovery (`ours`) for a malformed item.

    Returns `ours` if feedparser fails or finds no item.

    Args:
        data: A feed with only this item, as UTF-8.
        context: Context of the whole feed; its URL resolves relative links.

    """
    try:
        theirs = read_loosely(data, context)
    except Exception:  # noqa: BLE001 - feedparser raises exceptions of any kind
        return ours
    if not theirs:
        return ours
    found = {name: getattr(theirs[0], name) for name in _PLAIN}
    if ours.id:
        found["id"] = ours.id  # feedparser does not unescape `&amp;` in IDs
    return replace(ours, **{name: value for name, value in found.items() if has(value)})


def read_loosely(data: bytes, context: Context) -> list[Entry]:
    """Read the entries of a malformed feed in UTF-8; resolve links against `context.url`."""
    import feedparser

    # A stream, since feedparser would open a file whose name equals the bytes.
    parsed = feedparser.parse(BytesIO(data), sanitize_html=False, resolve_relative_uris=False)
    is_rss = str(parsed.get("version", "")).startswith("rss")
    return [_entry(item, context, is_rss) for item in parsed.entries]


def _entry(item: Mapping[str, Any], context: Context, is_rss: bool) -> Entry:
    published = _date(item, "published") or _date(item, "created")
    return Entry(
        loc=_loc(item, context, is_rss),
        lastmod=_date(item, "updated") or published,
        title=_title(item, is_rss),
        description=_description(item, is_rss),
        id=item.get("id") or None,
        published=published,
        authors=_names(item),
        categories=tuple(dict.fromkeys(filter(None, map(_term, item.get("tags", ()))))),
        enclosures=tuple(
            _enclosure(enclosure, url, context)
            for enclosure in item.get("enclosures", ())
            if (url := urls.clean(enclosure.get("href") or ""))
        ),
    )


def _loc(item: Mapping[str, Any], context: Context, is_rss: bool) -> str | None:
    """Return the URL of an alternate link, else of a permalink guid, else None; never a mere ID."""
    links = item.get("links", ())
    hrefs = [link.get("href") for link in links if link.get("rel", "alternate") == "alternate"]
    if is_rss and item.get("guidislink"):
        hrefs.append(item.get("link"))
    href = hrefs[0] if hrefs else None
    loc = relative.resolve(urls.clean(href), context.url) if href else None
    return loc if loc and urls.is_absolute(loc) else None


def _title(item: Mapping[str, Any], is_rss: bool) -> str | None:
    title = item.get("title") or ""
    return (title if is_rss or _is_plain(item, "title") else plain_text(title)) or None


def _description(item: Mapping[str, Any], is_rss: bool) -> str | None:
    if summary := item.get("summary"):
        return as_html(summary) if _is_plain(item, "summary") and not is_rss else summary
    contents = item.get("content") or [{}]
    return contents[0].get("value") or None


def _is_plain(item: Mapping[str, Any], name: str) -> bool:
    return str(item.get(f"{name}_detail", {}).get("type")) == "text/plain"


def _date(item: Mapping[str, Any], name: str) -> str | None:
    # feedparser substitutes `published` for a missing `updated`, with a warning
    return parse_feed_date(item[name]) if name in item.keys() else None  # noqa: SIM118


def _names(item: Mapping[str, Any]) -> tuple[str, ...]:
    names = [author.get("name") for author in item.get("authors", ())]
    return tuple(dict.fromkeys(name for name in names if name)) or (
        (item["author"],) if item.get("author") else ()
    )


def _term(tag: Mapping[str, Any]) -> str:
    return (tag.get("term") or "").strip()


def _enclosure(enclosure: Mapping[str, Any], url: str, context: Context) -> Enclosure:
    length = str(enclosure.get("length") or "")
    return Enclosure(
        url=relative.resolve(url, context.url) or url,
        type=(enclosure.get("type") or "").strip() or None,
        length=int(length) if length.isdecimal() and len(length) < 19 else None,
    )
