"""The datatypes of the elements and attributes of feeds."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from sitemapx.check.feeds.markup import find_html
from sitemapx.convert.values import urls
from sitemapx.convert.values.isocodes import is_language
from sitemapx.convert.values.rfc822 import why_not_rfc822
from sitemapx.convert.values.w3cdate import is_w3c, why_not_rfc3339


class FeedDatatype(NamedTuple):
    """
    The datatype of a text or an attribute in a feed.

    Attributes:
        code: Code of the rule that an invalid value violates.
        expected: The values that are allowed, in a few words.

    """

    code: str
    expected: str
    is_valid: Callable[[str], object]


_LABEL = r"[^\s@()<>,;:\"\[\].]+"
#: https://www.rfc-editor.org/rfc/rfc5322#section-3.4.1
_EMAIL = (
    r"(?:[^\s@()<>,;:\"\[\]]+|\"[^\"\\]+\")"
    rf"@(?:{_LABEL}(?:\.{_LABEL})*|\[[^\s\[\]]+\])"
)
#: https://www.rfc-editor.org/rfc/rfc6838#section-4.2, with parameters
_MEDIA_TYPE = r"[\w.+!#$&^-]+/[\w.+!#$&^-]+(\s*;\s*[\w.+-]+=(\"[^\"]*\"|[\w.+:/-]+))*"
#: https://www.rfc-editor.org/rfc/rfc4151#section-2.1
_TAG = (
    r"tag:([\w.-]+@)?[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?,"
    r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?"
    r":[\w.~!$&'()*+,;=:@/?%-]*(#[\w.~!$&'()*+,;=:@/?%-]*)?"
)
#: https://www.rfc-editor.org/rfc/rfc8141#section-2
_URN = r"(?i:urn):[a-zA-Z0-9][a-zA-Z0-9-]{0,30}[a-zA-Z0-9]:[^\s<>\"{}|\\^`\[\]]+"
_UUID = r"(?i:urn:uuid):[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
#: Languages of BCP 47 (https://www.rfc-editor.org/rfc/rfc5646#section-2.1)
_LANGUAGE = r"([A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}|[xi])(-[A-Za-z0-9]{1,8})*"
#: Time as in RTSP: https://www.rfc-editor.org/rfc/rfc2326#section-3.6
_NPT = r"now|\d+(\.\d*)?|\d+:[0-5]?\d:[0-5]?\d(\.\d*)?"
#: A number as in XML Schema, so that `.5` and `1e3` are allowed.
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"


def _matches(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern).fullmatch


def _is_reference(text: str) -> bool:
    """Return whether a text can be a URI or IRI, possibly relative."""
    return not re.search(r"[\s<>\"{}|\\^`]|%(?![0-9A-Fa-f]{2})", text) and text.count("#") < 2


def _is_absolute(text: str) -> bool:
    if not (_is_reference(text) and re.match(urls.SCHEME, text)):
        return False
    return urls.is_absolute(text) if re.match(r"(?i)https?:", text) else True


def _is_id(text: str) -> bool:
    """Return whether a text can be an absolute IRI; `tag:` and `urn:` require a form."""
    scheme = text.partition(":")[0].lower()
    if scheme == "tag":
        return bool(re.fullmatch(_TAG, text))
    if scheme == "urn":
        form = _UUID if text[:9].lower() == "urn:uuid:" else _URN
        return bool(re.fullmatch(form, text))
    return _is_absolute(text)


def _is_in(least: float, most: float) -> Callable[[str], bool]:
    number = re.compile(_NUMBER if isinstance(least, float) else r"[+-]?\d+")
    return lambda text: bool(number.fullmatch(text)) and least <= float(text) <= most


#: https://www.ogc.org/standards/georss/: coordinates are WGS 84.
_RANGES = "(-90 to 90, -180 to 180)"


def _are_positions(
    least: int, most: int = 2**63, *, is_closed: bool = False
) -> Callable[[str], bool]:
    """
    Return a function that validates a list of `least` to `most` pairs of latitude and longitude.

    If the list `is_closed`, the last pair has to equal the first pair.
    """
    is_number = _matches(_NUMBER)

    def is_valid(text: str) -> bool:
        words = text.split()
        if len(words) % 2 or not least <= len(words) // 2 <= most:
            return False
        if not all(map(is_number, words)):
            return False
        numbers = list(map(float, words))
        return (
            all(abs(latitude) <= 90 for latitude in numbers[::2])
            and all(abs(longitude) <= 180 for longitude in numbers[1::2])
            and (not is_closed or numbers[:2] == numbers[-2:])
        )

    return is_valid


def _is_circle(text: str) -> bool:
    center, _, radius = text.strip().rpartition(" ")
    return _are_positions(1, 1)(center) and _is_in(0.0, float(_MANY))(radius)


def _is_language(text: str) -> bool:
    """
    Return whether a language tag is well-formed, and its language can be in the registry.

    https://www.iana.org/assignments/language-subtag-registry lists all codes of ISO 639-1 and a
    few deprecated ones, and none of four or more letters.
    """
    language = text.partition("-")[0].lower()
    if len(language) == 2 and not (is_language(language) or language in _DEPRECATED):
        return False
    return len(language) <= 3 and bool(re.fullmatch(_LANGUAGE, text))


_DEPRECATED = frozenset({"in", "iw", "ji", "jw", "mo"})
_MANY = 2**63
_DAY = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"

#: Datatypes by name; the validator handles others itself, such as `text` and `any`.
_DATATYPES: Mapping[str, FeedDatatype] = {
    "uri": FeedDatatype("bad-url", "an absolute URL", _is_absolute),
    "reference": FeedDatatype(
        "bad-url", "a URL without spaces or other illegal characters", _is_reference
    ),
    #: Relative URLs are allowed here, as the reader reports them.
    "link": FeedDatatype("bad-url", "a URL", lambda text: text and _is_reference(text)),
    "http": FeedDatatype("bad-url", "a URL with http or https", urls.is_absolute),
    "id": FeedDatatype(
        "bad-id", "an IRI, such as a URL, tag:example.org,2026:1 or urn:uuid:…", _is_id
    ),
    "rfc3339": FeedDatatype(
        "feed-date",
        "a date such as 2026-06-01T10:00:00Z (RFC 3339)",
        lambda text: not why_not_rfc3339(text),
    ),
    "rfc822": FeedDatatype(
        "feed-date",
        "a date such as Mon, 01 Jun 2026 10:00:00 GMT (RFC 822)",
        lambda text: not why_not_rfc822(text),
    ),
    "w3cdtf": FeedDatatype("bad-date", "a date such as 2026-06-01 or 2026-06-01T10:00:00Z", is_w3c),
    "dcterms": FeedDatatype(
        "bad-date",
        "a date such as 2026-06-01, or a period (start=…; end=…)",
        lambda text: is_w3c(text) or re.search(r"\b(start|end)\s*=", text),
    ),
    "language": FeedDatatype("bad-language", "a language such as en or pt-BR", _is_language),
    "media-type": FeedDatatype(
        "bad-media-type", "a media type such as audio/mpeg", _matches(_MEDIA_TYPE)
    ),
    "lower-case": FeedDatatype("bad-value", "lower case", lambda text: text == text.lower()),
    "currency": FeedDatatype(
        "bad-value", "a currency such as EUR (ISO 4217)", _matches("[A-Za-z]{3}")
    ),
    "email": FeedDatatype("bad-email", "an email address", _matches(_EMAIL)),
    "person": FeedDatatype(
        "bad-email",
        "an email address, with the name in parentheses: jo@example.org (Jo Doe)",
        _matches(rf"(mailto:)?{_EMAIL}(\s+\([^()]*(\([^()]*\)[^()]*)*\))?"),
    ),
    "integer": FeedDatatype("bad-number", "a whole number", _is_in(0, _MANY)),
    "positive": FeedDatatype("bad-number", "a whole number above 0", _is_in(1, _MANY)),
    "port": FeedDatatype("bad-number", "a port from 1 to 65535", _is_in(1, 65535)),
    "width": FeedDatatype("bad-number", "a whole number from 1 to 144", _is_in(1, 144)),
    "height": FeedDatatype("bad-number", "a whole number from 1 to 400", _is_in(1, 400)),
    "hour": FeedDatatype("bad-number", "a whole number from 0 to 23", _is_in(0, 23)),
    "decimal": FeedDatatype("bad-number", "a number", _is_in(0.0, float(_MANY))),
    "number": FeedDatatype("bad-number", "a number", _matches(_NUMBER)),
    "latitude": FeedDatatype("bad-number", "a number from -90 to 90", _is_in(-90.0, 90.0)),
    "longitude": FeedDatatype("bad-number", "a number from -180 to 180", _is_in(-180.0, 180.0)),
    "point": FeedDatatype("bad-number", f"latitude and longitude {_RANGES}", _are_positions(1, 1)),
    "box": FeedDatatype(
        "bad-number",
        f"latitude and longitude of two corners, separated by spaces {_RANGES}",
        _are_positions(2, 2),
    ),
    "line": FeedDatatype(
        "bad-number",
        f"two or more pairs of latitude and longitude, separated by spaces {_RANGES}",
        _are_positions(2),
    ),
    "polygon": FeedDatatype(
        "bad-number",
        "four or more pairs of latitude and longitude, separated by spaces, of which the last "
        f"equals the first {_RANGES}",
        _are_positions(4, is_closed=True),
    ),
    "circle": FeedDatatype(
        "bad-number", f"latitude, longitude and radius in meters {_RANGES}", _is_circle
    ),
    "integers": FeedDatatype(
        "bad-number", "whole numbers separated by commas", _matches(r"\d+(\s*,\s*\d+)*")
    ),
    "boolean": FeedDatatype("bad-keyword", "true or false", _matches("true|false")),
    "yes-no": FeedDatatype("bad-keyword", "yes or no", _matches("(?i)yes|no|false")),
    "explicit": FeedDatatype(
        "bad-keyword", "true or false", _matches("(?i)true|false|yes|no|clean|explicit")
    ),
    "day": FeedDatatype("bad-keyword", "a weekday such as Monday", _matches(_DAY)),
    "duration": FeedDatatype(
        "bad-value", "seconds, MM:SS or HH:MM:SS", _matches(r"\d+|\d+:([0-5]?\d:)?[0-5]\d")
    ),
    "npt": FeedDatatype("bad-value", "a time such as 12.5 or 0:01:02", _matches(_NPT)),
    "field-name": FeedDatatype(
        "bad-value", "a name of letters, digits, - and _", _matches(r"[A-Za-z][\w:.-]*")
    ),
}


@lru_cache(1000)
def find_datatype(name: str) -> FeedDatatype | None:
    """
    Return the datatype of this name, which may be a choice of words, such as `video|audio`.

    Return None if the name is unknown.
    """
    if "|" in name:
        words = name.split("|")
        listed = f"{', '.join(words[:-1])} or {words[-1]}"
        return FeedDatatype("bad-keyword", listed, frozenset(words).__contains__)
    return _DATATYPES.get(name)


def is_certainly_valid(text: str, kind: str) -> bool:
    """Return True only if a value is certainly valid; False means "unknown"."""
    if kind == "any":
        return True
    if kind == "text":
        return bool(text.strip()) and find_html(text) is None
    datatype = find_datatype(kind)
    return bool(datatype and datatype.is_valid(text))


def media_type_of(text: str) -> str:
    """Return a media type in lower case, without its parameters."""
    return text.partition(";")[0].strip().lower()


def is_xml_type(media_type: str) -> bool:
    return media_type.endswith(("+xml", "/xml"))


@lru_cache(1000)
def is_media_type(text: str) -> bool:
    """Return whether a text is a media type; cached, as feeds repeat a few of them."""
    return is_certainly_valid(text, "media-type")
