"""
Quick tests of the most frequent elements: True only if an element certainly has no defect.

Other elements are validated in full, which takes longer.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial

from sitemapx.check.feeds.markup import is_usual_html
from sitemapx.check.feeds.relations import UNSUPPORTED_BY_APPLE, is_repeated, relation_of
from sitemapx.check.feeds.values import is_certainly_valid, is_media_type
from sitemapx.check.feeds.vocabularies import ElementRule
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.rfc822 import is_usual as is_usual_rfc822
from sitemapx.convert.xml.namespaces import NAMESPACES
from sitemapx.convert.xml.parsers import XmlElement

_NAME = f"{{{NAMESPACES['atom']}}}name"

Test = Callable[[XmlElement], bool]


@cache
def usual_of(rule: ElementRule) -> Test:
    if test := _TESTS.get((rule.family, rule.name)):
        return test
    if rule.text == "construct":
        return _is_usual_construct
    if rule.required_attributes or rule.required or relation_of(rule):
        return _is_never_usual
    return _make_test(rule)


def _make_test(rule: ElementRule) -> Test:
    """Return the quick test of a rule for elements that contain only text."""
    is_usual_text = _TEXTS.get(rule.text) or partial(is_certainly_valid, kind=rule.text)

    def is_usual(element: XmlElement) -> bool:
        text = element.text
        return bool(text and is_usual_text(text) and not element.keys() and not len(element))

    return is_usual


def _is_never_usual(element: XmlElement) -> bool:
    return False


def _is_usual_construct(element: XmlElement) -> bool:
    """Return whether an Atom text construct is harmless HTML, or plain text without HTML."""
    text = element.text
    if not text or len(element):
        return False
    attributes = element.items()
    if attributes == [("type", "html")]:
        return not text.isspace() and is_usual_html(text)
    return attributes in ([], [("type", "text")]) and is_certainly_valid(text, "text")


def _is_usual_guid(element: XmlElement) -> bool:
    text = element.text
    is_url = bool(text and urls.is_absolute(text))
    return is_url and element.items() in _PERMALINKS and not len(element)


_PERMALINKS: tuple[list[tuple[str, str]], ...] = (
    [],
    [("isPermaLink", "true")],
    [("isPermaLink", "false")],
)


#: Last characters of usual time zones: `GMT`, or the minutes of an offset.
_USUAL_ZONES = ("GMT", "00", "15", "30", "45")


def _is_usual_rss_date(element: XmlElement) -> bool:
    text = element.text
    is_date = bool(text and is_usual_rfc822(text) and text.endswith(_USUAL_ZONES))
    return is_date and not element.keys() and not len(element)


def _is_usual_link(element: XmlElement) -> bool:
    """Return whether an Atom link has just a URL, and perhaps a usual relation, type and length."""
    attributes = dict(element.items())
    href, rel = attributes.pop("href", ""), attributes.pop("rel", "alternate")
    kind, length = attributes.pop("type", "text/html"), attributes.pop("length", "0")
    return (
        not attributes
        and rel in ("alternate", "edit", "enclosure", "replies", "via", "related")
        and is_media_type(kind)
        and length.isdecimal()
        and _is_usual_url(href)
        and not (element.text or len(element))
    )


def _is_usual_enclosure(element: XmlElement) -> bool:
    attributes = dict(element.items())
    return (
        attributes.keys() == {"url", "length", "type"}
        and attributes["length"].isdecimal()
        and is_media_type(attributes["type"])
        and attributes["type"].lower() not in UNSUPPORTED_BY_APPLE
        and _is_usual_url(attributes["url"])
        and not (element.text or len(element) or is_repeated(element))
    )


def _is_usual_category(element: XmlElement) -> bool:
    attributes = element.items()
    return (
        len(attributes) == 1
        and attributes[0][0] == "term"
        and is_certainly_valid(attributes[0][1], "text")
        and not (element.text or len(element))
    )


def _is_usual_person(element: XmlElement) -> bool:
    """Return whether an Atom person has only a name, which is plain text without `@`."""
    if len(element) != 1 or element.text or element.keys():
        return False
    name = element[0]
    text = name.text
    is_name = name.tag == _NAME and not (name.keys() or name.tail or len(name))
    return bool(is_name and text and "@" not in text and is_certainly_valid(text, "text"))


def _is_usual_id(element: XmlElement) -> bool:
    text = element.text
    if not text or element.keys() or len(element):
        return False
    return is_certainly_valid(text, "id") if text.startswith("tag:") else _is_usual_url(text)


def _is_usual_url(url: str) -> bool:
    is_absolute = url.startswith(("https://", "http://")) and url.count("#") < 2
    return is_absolute and uris.are_normalized([url])


_TESTS: Mapping[tuple[str, str], Test] = {
    ("rss", "guid"): _is_usual_guid,
    ("rss", "pubDate"): _is_usual_rss_date,
    ("rss", "enclosure"): _is_usual_enclosure,
    ("atom", "author"): _is_usual_person,
    ("atom", "category"): _is_usual_category,
    ("atom", "id"): _is_usual_id,
    ("atom", "link"): _is_usual_link,
}
_TEXTS: Mapping[str, Callable[[str], object]] = {
    "html": is_usual_html,
    "date": lambda text: not text[0].isspace() and not text[-1].isspace(),
}
