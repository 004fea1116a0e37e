"""
Validation of JSON Feed 1.1 and 1.0: https://www.jsonfeed.org/version/1.1/

A table lists the keys of each kind of object and the type of each value. The reader itself reports
invalid dates and relative URLs, and the rules for feeds report a missing title or ID.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sitemapx.check.feeds.markup import find_html, find_html_defects
from sitemapx.check.feeds.values import find_datatype
from sitemapx.convert.values.words import clip

#: Code and message.
_Defect = tuple[str, str]

_LONGEST = 60
_VERSION = "https://jsonfeed.org/version/1.1"
_VERSIONS = re.compile(r"https?://(?:www\.)?jsonfeed\.org/version/1(?P<minor>\.1)?/?")

#: The keys of each kind of object, and the type of each value: a JSON type, a datatype of feeds, a
#: kind of object, or in brackets a list of one of these.
_KEYS: Mapping[str, Mapping[str, str]] = {
    "feed": {
        "version": "version",
        "title": "plain",
        "home_page_url": "link",
        "feed_url": "link",
        "description": "plain",
        "user_comment": "string",
        "next_url": "link",
        "icon": "uri",
        "favicon": "uri",
        "author": "author",
        "authors": "[author]",
        "language": "language",
        "expired": "flag",
        "hubs": "[hub]",
        "items": "[item]",
    },
    "item": {
        "id": "identity",
        "url": "string",
        "external_url": "uri",
        "title": "plain",
        "content_html": "html",
        "content_text": "string",
        "summary": "plain",
        "image": "link",
        "banner_image": "link",
        "date_published": "string",
        "date_modified": "string",
        "author": "author",
        "authors": "[author]",
        "tags": "[string]",
        "language": "language",
        "attachments": "[attachment]",
    },
    "author": {"name": "plain", "url": "uri", "avatar": "uri"},
    "hub": {"type": "string", "url": "link"},
    "attachment": {
        "url": "link",
        "mime_type": "media-type",
        "title": "plain",
        "size_in_bytes": "number",
        "duration_in_seconds": "number",
    },
}
#: The keys that an object must have, each with its alternatives.
_REQUIRED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "feed": (("version",), ("items",)),
    "item": (("content_html", "content_text"),),
    "author": (("name", "url", "avatar"),),
    "hub": (("type",), ("url",)),
    "attachment": (("url",), ("mime_type",)),
}


def find_feed_defects(feed: Mapping[str, Any]) -> Iterator[_Defect]:
    """Yield the defects of the feed object, except in its items."""
    yield from _find_defects(feed, "feed", "", feed)
    if not feed.get("home_page_url"):
        yield "missing-recommended", "feed has no home_page_url"
    next_url = feed.get("next_url")
    if next_url and next_url == feed.get("feed_url"):
        yield "bad-url", "next_url: URL of the feed itself instead of the next page"


def find_item_defects(item: object, feed: Mapping[str, Any]) -> Iterator[_Defect]:
    """Yield the defects of an item; `feed` has the keys that precede `items` in the feed."""
    if isinstance(item, dict):
        yield from _find_defects(item, "item", "", feed)
    else:
        yield "bad-value", "item is not a JSON object"


def _find_defects(
    values: Mapping[str, Any], kind: str, where: str, feed: Mapping[str, Any]
) -> Iterator[_Defect]:
    """Yield the defects of an object of this kind, such as "feed"; `where` begins the messages."""
    for key, expected in _KEYS[kind].items():
        if (value := values.get(key)) is not None:
            yield from _find_in_value(value, expected, f"{where}{key}", feed)
    for names in _REQUIRED[kind]:
        if all(values.get(name) is None for name in names):
            *others, last = names
            missing = f"neither {', '.join(others)} nor {last}" if others else f"no {last}"
            code = "feed-incomplete" if kind == "feed" else "missing-element"
            yield code, f"{where}{kind} has {missing}"
    if "author" in values and "author" in _KEYS[kind] and _is_newest(feed):
        yield "deprecated", "author is deprecated since version 1.1; use authors, a list"
    for key in values:
        if key not in _KEYS[kind] and not key.startswith("_"):
            message = f"{where}unknown key {clip(key, _LONGEST)!r}; extensions begin with _"
            yield "unknown-key", message


def _is_newest(feed: Mapping[str, Any]) -> bool:
    m = _VERSIONS.fullmatch(str(feed.get("version")))
    return bool(m and m["minor"])


def _find_in_value(
    value: Any, expected: str, name: str, feed: Mapping[str, Any]
) -> Iterator[_Defect]:
    if expected.startswith("["):
        inner = expected.strip("[]")
        if not isinstance(value, list):
            yield _wrong_type(name, "a list")
        elif inner != "item":  # items are validated separately
            for part in value:
                yield from _find_in_value(part, inner, name, feed)
    elif expected in _KEYS:
        if isinstance(value, dict):
            yield from _find_defects(value, expected, f"{name}: ", feed)
        else:
            yield _wrong_type(name, "an object")
    elif expected == "flag":
        if not isinstance(value, bool):
            yield _wrong_type(name, "true or false")
    elif expected == "number":
        if not isinstance(value, int | float) or isinstance(value, bool):
            yield _wrong_type(name, "a number")
        elif value < 0:
            yield "bad-number", f"{name} {value}: expected a number of 0 or more"
    elif expected == "identity" and isinstance(value, int | float) and not isinstance(value, bool):
        yield "bad-id", f"{name} {value}: expected a string; readers convert the number"
    elif not isinstance(value, str):
        yield _wrong_type(name, "a string")
    else:
        yield from _find_in_text(value, expected, name)


def _find_in_text(text: str, expected: str, name: str) -> Iterator[_Defect]:
    if expected == "version":
        if not _VERSIONS.fullmatch(text):
            yield "bad-keyword", f"{name} {clip(text, _LONGEST)!r}: expected {_VERSION}"
    elif expected == "html":
        yield from find_html_defects(text, name)
    elif expected == "plain":
        if not text.strip():
            yield "empty-value", f"{name} is empty"
        elif html := find_html(text):
            message = f"{name} is plain text, but contains HTML: {clip(html, _LONGEST)!r}"
            yield "html-in-text", message
    elif (datatype := find_datatype(expected)) and not datatype.is_valid(text):
        yield datatype.code, f"{name} {clip(text, _LONGEST)!r}: expected {datatype.expected}"


def _wrong_type(name: str, expected: str) -> _Defect:
    return "bad-value", f"{name}: invalid value: expected {expected}"
