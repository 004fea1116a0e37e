"""Varied items of feeds, and notations of dates and texts in feeds."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from html import escape

from bench.samples.chance import Chance
from bench.samples.kind import SEED, Entry
from bench.samples.shapes import SITE

__all__ = ["embed_html", "feed_entries", "format_rfc822", "media_entries"]

#: Sizes of descriptions, in characters.
_SIZES = (200, 200, 400, 800, 1500, 3000, 5000)
_MINUTES = (0, 0, 0, -300, 60, 120, 330)
_AUTHORS = ("Ada", "Bob & Eve", "Grace O'Malley")
_CATEGORIES = ("tools", "gardens", "Books & maps", "news", "travel")
_TYPES = (("audio/mpeg", "mp3"), ("application/pdf", "pdf"))


def _zoned(chance: Chance) -> str:
    """Return a random time in RFC 3339 whose zone RFC 822 can express, too."""
    zone = timezone(timedelta(minutes=chance.one_of(_MINUTES)))
    text = chance.moment().astimezone(zone).isoformat()
    return text.replace("+00:00", "Z")


def format_rfc822(date: str, chance: Chance) -> str:
    """Format a time as in RFC 822, with the name or the offset of its zone."""
    moment = datetime.fromisoformat(date)
    offset = moment.utcoffset() or timedelta()
    usual = ("GMT", "UTC", "GMT", "Z") if not offset else (date[-6:].replace(":", ""),) * 2
    names = {-300: "EST", 60: "CET"}
    zone = names.get(int(offset.total_seconds()) // 60) if chance.is_one_in(3) else None
    written = format_datetime(moment.replace(tzinfo=UTC))[:-5]
    if chance.is_one_in(20):  # the day of the week and a leading zero are optional
        written = written.partition(", ")[2].removeprefix("0")
    return f"{written}{zone or chance.one_of(usual)}"


def _article(chance: Chance) -> tuple[str, str]:
    """Return a random HTML description and its plain text."""
    size, number = chance.one_of(_SIZES), 0
    markup, text = "", ""
    while len(markup) < size:
        number += 1
        sentence = chance.title(number)
        link = f'<a href="{SITE}?page={number}&amp;size=2">more</a>'
        markup += f'<p class="text">{escape(sentence)} &amp; <b>so</b> on: {link}</p>\n'
        text += f"{sentence} & so on: more "
    return markup.strip(), text.strip()


def embed_html(text: str, chance: Chance) -> str:
    """Embed HTML in XML: as CDATA, or escaped."""
    return f"<![CDATA[{text}]]>" if chance.is_one_in(2) else chance.escaped(text)


def feed_entries(count: int) -> Iterator[Entry]:
    """Yield `count` random items, whose fields differ."""
    yield from (entry for entry, _ in _items(count))


def _items(count: int) -> Iterator[tuple[Entry, str]]:
    """Yield items, each with the text of its description."""
    chance = Chance(f"feed {SEED}")
    for number in range(count):
        loc, date = chance.loc(number), _zoned(chance)
        markup, text = _article(chance)
        entry: Entry = {"loc": loc, "title": chance.title(number)}
        entry |= {"lastmod": date, "published": date}
        entry["id"] = loc if chance.is_one_in(2) else f"tag:example.com,2026:{number}"
        if chance.is_one_in(4):
            text = ""
        else:
            entry["description"] = markup
        if not chance.is_one_in(3):
            entry["authors"] = chance.shuffled(_AUTHORS)[: 1 + chance.number(2)]
        if categories := chance.shuffled(_CATEGORIES)[: chance.number(5)]:
            entry["categories"] = categories
        if chance.is_one_in(8):
            entry["enclosures"] = [_enclosure(chance, number)]
        yield entry, text


def _enclosure(chance: Chance, number: int) -> Entry:
    kind, ending = chance.one_of(_TYPES)
    length = {"length": chance.number(10**7)} if not chance.is_one_in(4) else {}
    return {"url": f"{SITE}files/{number}.{ending}", "type": kind} | length


def media_entries(count: int) -> Iterator[Entry]:
    """Yield items with media: images, a video, only a thumbnail, or nothing."""
    chance = Chance(f"media {SEED}")
    for number, (entry, text) in enumerate(_items(count)):
        if chance.is_one_in(4):
            entry["videos"] = [_video(chance, number, entry, text)]
        elif chance.is_one_in(3):
            entry["images"] = [{"loc": f"{SITE}thumbs/{number}.jpg"}]
        elif images := [_image(chance, f"{number}-{n}") for n in range(chance.number(4))]:
            entry["images"] = images
        yield entry


def _image(chance: Chance, name: str) -> Entry:
    made = {"loc": f"{SITE}images/{name}.jpg?a=1&b=2", "title": chance.title(1)}
    if chance.is_one_in(2):
        made["caption"] = chance.title(2)
    return made


def _video(chance: Chance, number: int, entry: Entry, text: str) -> Entry:
    """Return a random video of an item, from which it inherits the fields that it lacks."""
    made: Entry = {"content_loc": f"{SITE}films/{number}.mp4", "title": entry["title"]}
    made["publication_date"] = entry["published"]
    if text:
        made["description"] = text
    optional: Entry = {
        "thumbnail_loc": f"{SITE}thumbs/{number}.jpg",
        "title": f"Film {chance.title(number)}",
        "description": "How it is made, & who makes it",
        "duration": 1 + chance.number(3600),
        "tags": ["making", "workshop"],
        "category": "tools & gardens",
        "uploader": {"name": chance.one_of(_AUTHORS)},
        "rating": chance.number(51) / 10,
        "view_count": chance.number(10**6),
        "family_friendly": True,
    }
    if not text:  # otherwise the item would inherit it
        del optional["description"]
    return made | {name: value for name, value in optional.items() if not chance.is_one_in(2)}
