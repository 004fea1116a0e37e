"""Sitemaps with varied images, videos, news and language versions."""

from collections.abc import Iterator, Mapping
from typing import Any

from bench.samples.chance import Chance
from bench.samples.kind import SEED, Entry, Kind
from bench.samples.shapes import ALL_START, SITE
from bench.samples.varied import varied_entries, write_core_fields

__all__ = ["VARIED_RICH", "create_alternate"]

_LANGUAGES = ("en", "de", "fr-CA", "ja", "pt-BR", "zh-Hant", "es-419", "x-default")
_MEDIA = "only screen and (max-width: 640px)"
#: Field -> element, where the names differ.
_ELEMENTS = {"tags": "tag", "prices": "price", "countries": "restriction"}
#: Field with the text of an element; its other fields are attributes.
_TEXTS = ("price", "countries", "platforms", "name")


def rich_entries(count: int) -> Iterator[Entry]:
    """Yield varied entries, with up to 5 images and 8 alternates."""
    chance = Chance(f"rich {SEED}")
    for number, entry in enumerate(varied_entries(count)):
        if images := [_image(chance, f"{number}-{n}") for n in range(chance.number(6))]:
            entry["images"] = images
        if chance.is_one_in(10):
            entry["videos"] = [_video(chance, number)]
        if chance.is_one_in(40):
            entry["news"] = _news(chance, number)
        loc, languages = entry["loc"], chance.shuffled(_LANGUAGES)[: chance.number(9)]
        if alternates := [create_alternate(language, loc) for language in languages]:
            entry["alternates"] = alternates
            if chance.is_one_in(30):
                alternates.append({"href": loc.replace("www", "m"), "media": _MEDIA})
        yield entry


def _image(chance: Chance, name: str) -> Entry:
    """Return an image with or without fields other than its URL."""
    made = {"loc": f"{SITE}images/{name}.jpg{'?v=1&w=800' if chance.is_one_in(9) else ''}"}
    if chance.is_one_in(2):
        made["title"] = chance.title(len(name))
    if chance.is_one_in(3):
        made["caption"] = chance.title(len(name) + 1)
    if chance.is_one_in(30):
        made["geo_location"] = "Limerick, Ireland"
    if chance.is_one_in(30):
        made["license"] = f"{SITE}licence"
    return made


def create_alternate(language: str, loc: str) -> Entry:
    """Return a language version of a page."""
    return {"hreflang": language, "href": loc.replace(SITE, f"{SITE}{language.lower()}/")}


def _video(chance: Chance, number: int) -> Entry:
    """Return a video with the required fields and some others."""
    optional = {
        "player_loc": f"{SITE}player?video={number}&size=2",
        "duration": 1 + chance.number(28_800),
        "expiration_date": chance.date(),
        "rating": chance.number(51) / 10,
        "view_count": chance.number(1_000_000),
        "publication_date": chance.date(),
        "tags": [f"tag {n}" for n in range(1 + chance.number(5))],
        "category": chance.title(number),
        "family_friendly": chance.is_one_in(2),
        "restriction": {
            "relationship": chance.one_of(("allow", "deny")),
            "countries": chance.shuffled(("IE", "GB", "US", "CA"))[: 1 + chance.number(4)],
        },
        "platform": {"relationship": "allow", "platforms": ["web", "mobile"]},
        "requires_subscription": chance.is_one_in(2),
        "uploader": _uploader(chance),
        "live": chance.is_one_in(2),
        "prices": [_price(chance) for _ in range(1 + chance.number(3))],
    }
    required = {
        "thumbnail_loc": f"{SITE}thumbs/{number}.jpg",
        "title": f"Film {chance.title(number)}",
        "description": "How it is made, & who makes it",
        "content_loc": f"{SITE}films/{number}.mp4",
    }
    return required | {name: v for name, v in optional.items() if not chance.is_one_in(2)}


def _uploader(chance: Chance) -> Entry:
    made = {"name": chance.title(1)}
    return made | {"info": f"{SITE}users/{chance.number(99)}"} if chance.is_one_in(2) else made


def _price(chance: Chance) -> Entry:
    optional = {
        "currency": chance.one_of(("EUR", "USD", "JPY")),
        "type": chance.one_of(("rent", "purchase")),
        "resolution": chance.one_of(("hd", "sd")),
    }
    some = {name: text for name, text in optional.items() if not chance.is_one_in(3)}
    return {"price": f"{chance.number(40)}.99"} | some


def _news(chance: Chance, number: int) -> Entry:
    optional: Entry = {"genres": ["Blog", "OpEd"], "keywords": ["tools", "gardens"]}
    some = {name: value for name, value in optional.items() if chance.is_one_in(2)}
    return {
        "publication": {"name": "The Daily Example", "language": "en"},
        "publication_date": chance.date(),
        "title": chance.title(number),
    } | some


def _fields(entry: Entry, chance: Chance) -> list[str]:
    """Return the XML elements of all fields of an entry."""
    fields = [*write_core_fields(entry, chance)]
    images = [_nested("image", "image", image, chance) for image in entry.get("images", ())]
    videos = [_nested("video", "video", video, chance) for video in entry.get("videos", ())]
    news = [_nested("news", "news", value, chance) for value in [entry.get("news")] if value]
    links = [_link(version, chance) for version in entry.get("alternates", ())]
    for group in chance.one_of(((images, videos, news, links), (links, news, images, videos))):
        fields += group
    return fields


def _link(version: Entry, chance: Chance) -> str:
    """Return the `<xhtml:link>` of a language version."""
    values = {"rel": "alternate", **version}
    written = chance.attributes(values, is_usual=not chance.is_one_in(3))
    return f"<xhtml:link{written}{'></xhtml:link>' if chance.is_one_in(20) else '/>'}"


def _nested(prefix: str, name: str, value: Entry, chance: Chance) -> str:
    fields = chance.shuffled([*value.items()]) if chance.is_one_in(5) else value.items()
    parts = [part for field in fields for part in _parts(prefix, *field, chance)]
    between = chance.one_of(("", "", "\n      "))
    return f"<{prefix}:{name}>{between}{between.join(parts)}{between}</{prefix}:{name}>"


def _parts(prefix: str, name: str, value: Any, chance: Chance) -> Iterator[str]:
    """Yield the XML elements of a field with a prefix, one for each value."""
    element = f"{prefix}:{_ELEMENTS.get(name, name)}"
    if name == "publication":
        yield _nested(prefix, name, value, chance)
    elif isinstance(value, Mapping):
        yield _with_attributes(element, value, chance)
    elif isinstance(value, list) and prefix == "news":
        yield chance.element(element, ", ".join(value))
    elif isinstance(value, list):
        for item in value:
            is_text = isinstance(item, str)
            yield (
                chance.element(element, item)
                if is_text
                else _with_attributes(element, item, chance)
            )
    elif isinstance(value, bool):
        yield chance.element(element, "yes" if value else "no")
    else:
        yield chance.element(element, str(value))


def _with_attributes(element: str, value: Mapping[str, Any], chance: Chance) -> str:
    text = next(value[name] for name in _TEXTS if name in value)
    attributes = {name: other for name, other in value.items() if name not in _TEXTS}
    written = chance.attributes(attributes)
    return chance.element(element, text if isinstance(text, str) else " ".join(text), written)


def _varied_rich(entry: Entry) -> str:
    chance = Chance(f"rich {entry['loc']}")
    before = "\n" if chance.is_one_in(50) else ""
    fields = "".join(f"    {field}\n" for field in _fields(entry, chance))
    return f"{before}  <url>\n{fields}  </url>\n"


VARIED_RICH = {
    "varied rich": Kind(".xml", rich_entries, _varied_rich, ALL_START, "</urlset>\n"),
}
