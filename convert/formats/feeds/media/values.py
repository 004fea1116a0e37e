"""
The descriptions of a video or an image in Media RSS, value by value.

It may stand in the `content` of the media object, in the `group` around that, in the item, or in
the channel. The nearest level that has a value counts; nothing is put together from two levels.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sitemapx.convert.formats.feeds.media.levels import Level, Origin
from sitemapx.convert.html.text import plain_text
from sitemapx.convert.model.media import Price, Restriction, Uploader
from sitemapx.convert.values import urls
from sitemapx.convert.values.dates import parse_feed_date
from sitemapx.convert.values.zones import KEPT, loss
from sitemapx.convert.xml.elements import local_name, name_of, resolved, text_of
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["NOBODY", "MediaDescription"]

#: A restriction that no list of countries can say.
NOBODY = Restriction(relationship="allow")

#: What a rating says.
_FAMILY_FRIENDLY = {"adult": False, "nonadult": True}
_EXPLICIT = {
    **dict.fromkeys(("yes", "explicit", "true"), False),
    **dict.fromkeys(("clean", "no", "false"), True),
}
_bounds = re.compile(r"\b(start|end)\s*=\s*([^;\s]+)").findall


class MediaDescription:
    """The description of one media object."""

    def __init__(self, levels: Sequence[Level], origin: Origin) -> None:
        """
        Look at these levels.

        Args:
            levels: The nearest first.
            origin: Is told which elements are taken.

        """
        self._levels = levels
        self._origin = origin
        self._nearest: dict[str, Sequence[XmlElement]] = {}
        for level in reversed(levels):
            self._nearest.update(level)

    def details(self) -> dict[str, Any]:
        """Return the fields of a video that are read from elements of their own."""
        fields: dict[str, Any] = {}
        for names, read in _DETAILS:
            if not names.isdisjoint(self._nearest):
                fields.update(read(self))
        return fields

    def _first(self, *names: str) -> XmlElement | None:
        """Take the first element of one of these names, from the nearest level that has any."""
        if len(names) == 1:
            nodes = self._nearest.get(names[0])
            return self._origin.take(nodes[0]) if nodes else None
        for level in self._levels:
            for name in names:
                if name in level:
                    return self._origin.take(level[name][0])
        return None

    def text(self, name: str) -> str | None:
        """Return a text, without markup."""
        node = self._first(name)
        if node is None:
            return None
        text = text_of(node)
        return (plain_text(text) if node.get("type") == "html" else text) or None

    def url(self, *names: str) -> str | None:
        """Return the address that the first of these has that stands anywhere."""
        for name in names:
            if (node := self._first(name)) is not None:
                return self.address(node)
        return None

    def address(self, node: XmlElement) -> str | None:
        """Return the address in an element, made absolute if it can be."""
        url = node.get("url", "").strip()
        if not url or urls.is_absolute(url):
            return url or None
        return resolved(url, node, self._origin.offset, self._origin.context) or url

    def duration(self, content: XmlElement) -> int | None:
        """Return the seconds that a media object takes."""
        node, text = content, content.get("duration", "").strip()
        if not text and (other := self._first("itunes:duration")) is not None:
            node, text = other, text_of(other)
        found = _seconds(text)
        if text and found is None:
            message = f"invalid video duration {text!r}: expected 1 to 28,800 seconds"
            self._origin.problem("bad-duration", message, node)
        return found

    def valid(self) -> Mapping[str, str]:
        """Read the time in which it may be shown: `start=…; end=…; scheme=W3C-DTF`."""
        node = self._first("dcterms:valid")
        dates: dict[str, str] = {}
        if node is not None:
            for name, text in _bounds(text_of(node)):
                unknown: list[str] = []
                if date := parse_feed_date(text, unknown.append):
                    dates[name] = date
                    for zone in unknown:
                        message = f"{name} of <{name_of(node)}>: {loss(zone, text)}"
                        self._origin.problem("unknown-zone", message, node, KEPT)
                else:
                    message = f"{name} of <{name_of(node)}>: invalid date {text!r}"
                    self._origin.problem("bad-date", message, node)
        return dates

    def live(self) -> bool | None:
        """Return whether it is shown as it happens; that it is not cannot be said."""
        for level in self._levels:
            for node in level.get("dcterms:type", ()):
                if text_of(node) == "live-video":
                    self._origin.take(node)
                    return True
        return None

    def tags(self) -> tuple[str, ...]:
        """List the keywords, and what the community added."""
        node = self._first("keywords", "itunes:keywords")
        words = () if node is None else _keywords(text_of(node))
        if (tags := self._by_community("tags")) is not None:
            more = ",".join(part.partition(":")[0] for part in text_of(tags).split(","))
            words = tuple(dict.fromkeys([*words, *_keywords(more)]))
        return words

    def family_friendly(self) -> bool | None:
        """Return whether it is for everybody, in any of the ways to say that."""
        take = self._origin.take
        for level in self._levels:
            for node in level.get("rating", ()):
                if node.get("scheme", "urn:simple") == "urn:simple":
                    word = text_of(node).lower()
                    if word in _FAMILY_FRIENDLY:
                        take(node)
                        return _FAMILY_FRIENDLY[word]
            for node in level.get("adult", ()):
                return text_of(take(node)).lower() != "true"
            for node in level.get("itunes:explicit", ()):
                if (word := text_of(node).lower()) in _EXPLICIT:
                    take(node)
                    return _EXPLICIT[word]
        return None

    def restriction(self) -> Restriction | None:
        """Return the countries where it may be watched or not: None for all, NOBODY for none."""
        for level in self._levels:
            for node in level.get("restriction", ()):
                relationship = node.get("relationship", "").lower()
                if node.get("type", "country") != "country" or relationship not in (
                    "allow",
                    "deny",
                ):
                    continue
                countries = text_of(self._origin.take(node)).upper().replace(",", " ").split()
                if countries in (["ALL"], ["NONE"], []):
                    is_for_all = (countries == ["ALL"]) == (relationship == "allow")
                    return None if is_for_all else NOBODY
                return Restriction(relationship=relationship, countries=tuple(countries))
        return None

    def uploader(self) -> Uploader | None:
        """Return who put it there, else the author."""
        for level in self._levels:
            by_role = {node.get("role", "").lower(): node for node in level.get("credit", ())}
            node = by_role.get("uploader", by_role.get("author"))
            if node is not None and (name := text_of(self._origin.take(node))):
                return Uploader(name=name)
        return None

    def prices(self) -> dict[str, Any]:
        """Read what it costs."""
        prices: list[Price] = []
        subscription = None
        for node in self._nearest.get("price", ()):
            kind = node.get("type", "").lower() or None
            price, currency = node.get("price"), node.get("currency")
            if kind == "subscription":
                subscription = True
                if price:
                    self._origin.leave_out("the price of a subscription", node)
            elif kind in (None, "rent", "purchase"):
                prices.append(Price(price=price, currency=currency, type=kind))
            else:
                continue
            self._origin.take(node)
        return {"prices": tuple(prices), "requires_subscription": subscription}

    def community(self) -> dict[str, Any]:
        """Read rating and views; a rating on another scale is put on ours of 0 to 5."""
        found: dict[str, Any] = {}
        if (node := self._by_community("starRating")) is not None:
            average = _number(node.get("average"))
            least, most = _number(node.get("min")) or 0.0, _number(node.get("max")) or 5.0
            rating = _stars(average, least, most)
            if rating is not None:
                found["rating"] = rating
            else:
                scale = f"a number from {least:g} to {most:g}"
                message = f"invalid rating {node.get('average')!r}: expected {scale}"
                self._origin.problem("bad-rating", message, node)
        if (node := self._by_community("statistics")) is not None and (text := node.get("views")):
            found["view_count"] = _views(text)
            if found["view_count"] is None:
                self._origin.problem(
                    "bad-value", f"invalid number of views {text!r}: expected a whole number", node
                )
        return found

    def _by_community(self, name: str) -> XmlElement | None:
        """Find the nearest element of this name in a `community`."""
        for community in self._communities():
            for node in community:
                if local_name(node) == name:
                    self._origin.take(community)
                    self._origin.report_attributes(name, node)
                    return node
        return None

    def _communities(self) -> Iterator[XmlElement]:
        return (node for level in self._levels for node in level.get("community", ()))


#: Functions that read fields of a video, each with the names of the elements that it reads.
_DETAILS: tuple[tuple[set[str], Callable[[MediaDescription], dict[str, Any]]], ...] = (
    ({"dcterms:type"}, lambda about: {"live": about.live()}),
    ({"keywords", "itunes:keywords", "community"}, lambda about: {"tags": about.tags()}),
    ({"category"}, lambda about: {"category": about.text("category")}),
    (
        {"rating", "adult", "itunes:explicit"},
        lambda about: {"family_friendly": about.family_friendly()},
    ),
    ({"restriction"}, lambda about: {"restriction": about.restriction()}),
    ({"credit"}, lambda about: {"uploader": about.uploader()}),
    ({"community"}, MediaDescription.community),
    ({"price"}, MediaDescription.prices),
)


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _keywords(text: str) -> tuple[str, ...]:
    """Read words with commas between them, each once."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def _stars(average: float | None, least: float, most: float) -> float | None:
    """Put a rating on the scale of 0 to 5; None if it is not on its own."""
    if average is None or not least <= average <= most or least == most:
        return None
    return round((average - least) / (most - least) * 5, 2)


def _views(text: str) -> int | None:
    """Read a number of views."""
    return int(text) if text.isdecimal() and len(text) < 19 else None


def _seconds(text: str) -> int | None:
    """Read 1 to 28,800 seconds: a number, or `HH:MM:SS` and its shorter forms, as in iTunes."""
    found = 0
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]+)?", text):
        found = int(float(text))
    elif m := re.fullmatch(r"(?:([0-9]{1,2}):)?([0-9]{1,3}):([0-9]{2})", text):
        found = int(m[1] or 0) * 3600 + int(m[2]) * 60 + int(m[3])
    return found if 1 <= found <= 28_800 else None
