"""Feeds whose items differ from each other: RSS, with Media RSS, and Atom."""

from collections.abc import Iterator

from bench.samples.chance import Chance
from bench.samples.feeditems import embed_html, feed_entries, format_rfc822, media_entries
from bench.samples.kind import Entry, Kind
from bench.samples.shapes import SITE, XML

__all__ = ["VARIED_FEEDS"]

_RSS_START = f"""{XML}<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>All that is new</title>
  <link>{SITE}</link>
  <description>An item a page</description>
"""
_ATOM_START = f"""{XML}<feed xmlns="http://www.w3.org/2005/Atom">
  <title>All that is new</title>
  <id>{SITE}</id>
  <updated>2026-01-01T00:00:00Z</updated>
  <link rel="self" href="{SITE}atom.xml"/>
"""


def _rss_fields(entry: Entry, chance: Chance) -> Iterator[str]:
    yield _titled("title", entry["title"], chance)
    yield chance.element("link", entry["loc"])
    is_link = entry["id"] == entry["loc"]
    says_so = not is_link or chance.is_one_in(2)
    attributes = chance.attributes({"isPermaLink": str(is_link).lower()}) if says_so else ""
    yield chance.element("guid", entry["id"], attributes)
    yield f"<pubDate>{format_rfc822(entry['published'], chance)}</pubDate>"
    if "description" in entry:
        name = "content:encoded" if chance.is_one_in(6) else "description"
        yield f"<{name}>{embed_html(entry['description'], chance)}</{name}>"
    yield "".join(chance.element("dc:creator", author) for author in entry.get("authors", ()))
    yield "".join(chance.element("category", category) for category in entry.get("categories", ()))
    for enclosure in entry.get("enclosures", ()):
        yield f"<enclosure{chance.attributes({n: str(v) for n, v in enclosure.items()})}/>"


def _titled(name: str, text: str, chance: Chance, attributes: str = "") -> str:
    """Return an element with a text, perhaps in a CDATA section."""
    if chance.is_one_in(3):
        return f"<{name}{attributes}><![CDATA[{text}]]></{name}>"
    return chance.element(name, text, attributes)


def _rss(entry: Entry) -> str:
    chance = Chance(f"rss {entry['loc']}")
    return _item("item", [*_rss_fields(entry, chance)], chance)


def _item(name: str, fields: list[str], chance: Chance) -> str:
    if chance.is_one_in(3):
        fields = chance.shuffled(fields)
    lines = "".join(f"    {field}\n" for field in fields if field)
    return f"  <{name}>\n{lines}  </{name}>\n"


def _mrss(entry: Entry) -> str:
    chance = Chance(f"mrss {entry['loc']}")
    fields = [*_rss_fields(entry, chance)]
    images = entry.get("images", [])
    if images and "title" not in images[0]:
        fields.append(f"<media:thumbnail{chance.attributes({'url': images[0]['loc']})}/>")
    else:
        fields.append("".join(_image(image, chance) for image in images))
    fields += [_video(video, entry, chance) for video in entry.get("videos", ())]
    return _item("item", fields, chance)


def _content(url: str, medium: str, inside: str, chance: Chance, **more: str) -> str:
    kinds = {"medium": medium} if chance.is_one_in(2) else {}
    kinds["type"] = "image/jpeg" if medium == "image" else "video/mp4"
    if chance.is_one_in(4):
        kinds |= {"width": "640", "height": "480"}
    attributes = chance.attributes({"url": url} | kinds | more)
    return f"<media:content{attributes}>{inside}</media:content>"


def _image(image: Entry, chance: Chance) -> str:
    kind = ' type="plain"' if chance.is_one_in(2) else ""
    parts = [chance.element("media:title", image["title"], kind)]
    if "caption" in image:
        parts.append(chance.element("media:description", image["caption"], kind))
    return _content(image["loc"], "image", "".join(chance.shuffled(parts)), chance)


def _video(video: Entry, entry: Entry, chance: Chance) -> str:
    """Return a video in Media RSS, with its description in `media:content` or beside it."""
    parts = chance.shuffled([*_about(video, entry, chance)])
    inside, around = ("".join(parts), "") if chance.is_one_in(2) else ("", "".join(parts))
    more = {"duration": str(video["duration"])} if "duration" in video else {}
    content = _content(video["content_loc"], "video", inside, chance, **more)
    if around or chance.is_one_in(2):
        return f"<media:group>{content}{around}</media:group>"
    return content


def _about(video: Entry, entry: Entry, chance: Chance) -> Iterator[str]:
    for name in ("title", "description", "category"):
        if name in video and (name != "title" or video[name] != entry[name]):
            yield chance.element(f"media:{name}", video[name])
    if "thumbnail_loc" in video:
        yield f"<media:thumbnail{chance.attributes({'url': video['thumbnail_loc']})}/>"
    if "tags" in video:
        yield chance.element("media:keywords", ", ".join(video["tags"]))
    if "uploader" in video:
        role = chance.attributes({"role": chance.one_of(("uploader", "author"))})
        yield chance.element("media:credit", video["uploader"]["name"], role)
    if "family_friendly" in video:
        yield "<media:rating>nonadult</media:rating>"
    community = ""
    if "rating" in video:
        community += f'<media:starRating average="{video["rating"]}" min="0" max="5"/>'
    if "view_count" in video:
        community += f'<media:statistics views="{video["view_count"]}"/>'
    yield f"<media:community>{community}</media:community>" if community else ""


def _atom_link(loc: str, chance: Chance, *, is_only: bool) -> str:
    """Return the link of an entry; beside others, with `rel`, which fastfeedparser needs."""
    more = {"rel": "alternate", "type": "text/html", "hreflang": "en"}
    some = {name: text for name, text in more.items() if not chance.is_one_in(2)}
    if not is_only:
        some["rel"] = "alternate"
    return f"<link{chance.attributes({'href': loc} | some)}/>"


def _atom_fields(entry: Entry, chance: Chance) -> Iterator[str]:
    kind = chance.one_of(("", ' type="text"'))
    yield _titled("title", entry["title"], chance, kind)
    has_more = chance.is_one_in(10)
    yield _atom_link(entry["loc"], chance, is_only=not has_more and "enclosures" not in entry)
    if has_more:
        yield f'<link rel="{chance.one_of(("edit", "self"))}" href="{SITE}more"/>'
    yield chance.element("id", entry["id"])
    yield f"<updated>{entry['lastmod']}</updated>"
    if "published" in entry:
        yield f"<published>{entry['published']}</published>"
    if "description" in entry:
        name = chance.one_of(("summary", "content"))
        yield f"<{name} type='html'>{embed_html(entry['description'], chance)}</{name}>"
    names = (chance.element("name", author) for author in entry.get("authors", ()))
    yield "".join(f"<author>{name}</author>" for name in names)
    terms = ({"term": category} for category in entry.get("categories", ()))
    yield "".join(f"<category{chance.attributes(term)}/>" for term in terms)
    for enclosure in entry.get("enclosures", ()):
        values = {"rel": "enclosure", "href": enclosure["url"], **enclosure}
        values.pop("url")
        yield f"<link{chance.attributes({n: str(v) for n, v in values.items()})}/>"


def _atom(entry: Entry) -> str:
    chance = Chance(f"atom {entry['loc']}")
    return _item("entry", [*_atom_fields(entry, chance)], chance)


def _atom_entries(count: int) -> Iterator[Entry]:
    """Yield the items of `feed_entries`, some without a publication date."""
    for number, entry in enumerate(feed_entries(count)):
        if number % 3 == 0:
            del entry["published"]
        yield entry


_RSS_END = "</channel>\n</rss>\n"

VARIED_FEEDS = {
    "varied feed": Kind(".rss", feed_entries, _rss, _RSS_START, _RSS_END),
    "varied mrss": Kind(".rss", media_entries, _mrss, _RSS_START, _RSS_END),
    "varied atom": Kind(".atom", _atom_entries, _atom, _ATOM_START, "</feed>\n"),
}
