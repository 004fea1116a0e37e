"""Corrects values and names in feeds for which only one correction is possible."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from html import escape

from sitemapx.check.feeds.texts import CONSTRUCT_TYPES
from sitemapx.check.feeds.values import find_datatype, is_certainly_valid
from sitemapx.check.feeds.vocabularies import (
    ElementRule,
    Vocabulary,
    attribute_of_module,
    module_rules,
    vocabulary_of,
)
from sitemapx.check.nodes import Node
from sitemapx.convert.formats.feeds.writing import to_rfc822, to_rfc3339
from sitemapx.convert.values import urls
from sitemapx.convert.values.dates import parse_feed_date
from sitemapx.convert.values.rfc822 import why_not_rfc822
from sitemapx.convert.xml.elements import local_name
from sitemapx.convert.xml.parsers import XmlElement

_URL_TYPES = frozenset({"uri", "reference", "id", "link", "http"})
_DATE_TYPES = frozenset({"date", "rfc3339"})
#: A GUID that may have been meant as a URL.
_LIKE_URL = re.compile(r".*/|\?|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\Z", re.DOTALL)
#: Maximum number of letters of a language code; a longer word is a name, such as `english`.
_LANGUAGE_LETTERS = 3
_PREFIXES = {"{http://www.w3.org/XML/1998/namespace}": "xml:"}


def correct(node: Node, codes: Collection[str]) -> None:
    """Correct name, text and attributes of an element; only errors of `codes` with one solution."""
    element = node.element
    vocabulary = vocabulary_of(element.getroottree().getroot())
    if vocabulary is None:
        return
    if "unknown-element" in codes and (name := _find_name(element, vocabulary)):
        node.name = name
    rule = _find_rule(element, vocabulary)
    if rule is None:
        return
    if "guid-not-url" in codes and rule.name == "guid" and _is_no_url(element):
        node.set_attribute("isPermaLink", b"false")
    for code, correct_value in _VALUES.items():
        if code not in codes:
            continue
        for attribute, value, datatype in _values_of(element, rule):
            new = correct_value(value, datatype, vocabulary)
            if new is None or new == value:
                continue
            if attribute:
                node.set_attribute(attribute, escape(new).encode())
            else:
                node.text = escape(new, quote=False).encode()


def _values_of(element: XmlElement, rule: ElementRule) -> Iterator[tuple[str, str, str]]:
    """Yield name ("" for the text), value and datatype of each typed attribute and of the text."""
    for name, value in element.items():
        datatype = rule.attributes.get(name) or attribute_of_module(name)
        if name == "type" and rule.text == "construct" and rule.name != "content":
            datatype = CONSTRUCT_TYPES
        namespace, brace, local = name.rpartition("}")
        if datatype and (not namespace or namespace + brace in _PREFIXES):
            yield _PREFIXES.get(namespace + brace, "") + local, value, datatype
    if rule.text and element.text and not len(element):
        yield "", element.text, rule.text


def _find_rule(element: XmlElement, vocabulary: Vocabulary) -> ElementRule | None:
    tag = str(element.tag)
    if tag == vocabulary.item_tag:
        return vocabulary.item
    if local_name(element) == vocabulary.head.name:
        return vocabulary.head
    parent = element.getparent()
    around = None if parent is None else _find_rule(parent, vocabulary)
    return (around and around.children.get(tag)) or module_rules().get(tag)


def _find_name(element: XmlElement, vocabulary: Vocabulary) -> str | None:
    """Return the name in its known letter case; None if unknown, correct or used by a sibling."""
    parent = element.getparent()
    around = None if parent is None else _find_rule(parent, vocabulary)
    name = around.respell(str(element.tag)) if around else None
    if parent is None or name is None:
        return None
    is_there = parent.find(str(element.tag)[: -len(name)] + name) is not None
    return None if is_there else name


def _is_no_url(guid: XmlElement) -> bool:
    if any(name != "isPermaLink" and name.lower() == "ispermalink" for name in guid.attrib):
        return False
    text = (guid.text or "").strip()
    is_meant_as_url = not text or urls.is_absolute(text) or _LIKE_URL.match(text)
    return not is_meant_as_url and guid.get("isPermaLink", "true") == "true"


# ---- values


def _correct_date(text: str, datatype: str, vocabulary: Vocabulary) -> str | None:
    """Return a date in the format of the feed; None if correct, ambiguous or not a date."""
    if datatype not in _DATE_TYPES:
        return None
    problems: list[str] = []
    date = parse_feed_date(text, problems.append)
    written = date and to_rfc822(date, lambda code, message: problems.append(code))
    has_weekday = re.match(r"\s*[A-Z][a-z]{2}", text)
    if not written or not date or (has_weekday and not text.strip().startswith(written[:3])):
        return None
    if datatype == "rfc3339" or vocabulary.name.startswith("atom"):
        new = to_rfc3339(date, lambda code, message: None)
        return new if not is_certainly_valid(text, "rfc3339") else None
    is_wrong = why_not_rfc822(text.strip()) and not problems
    return written if is_wrong else None


def _correct_url(text: str, datatype: str, vocabulary: Vocabulary) -> str | None:
    """Strip whitespace around a URL; None if the URL is invalid, or in RSS, which allows spaces."""
    url = text.strip()
    is_url = vocabulary.is_strict and datatype in _URL_TYPES and is_certainly_valid(url, datatype)
    return url if is_url else None


def _correct_language(text: str, datatype: str, vocabulary: Vocabulary) -> str | None:
    """Replace `_` with `-` in a language tag; None if it is valid, or remains invalid."""
    code = text.strip().replace("_", "-")
    is_wrong = datatype.startswith("language") and not is_certainly_valid(text.strip(), "language")
    is_code = len(code.partition("-")[0]) <= _LANGUAGE_LETTERS
    return code if is_wrong and is_code and is_certainly_valid(code, "language") else None


def _correct_keyword(text: str, datatype: str, vocabulary: Vocabulary) -> str | None:
    """Correct the letter case of a keyword; None if the keyword is valid or unknown."""
    found = find_datatype(datatype)
    if found is None or found.code != "bad-keyword" or found.is_valid(text.strip()):
        return None
    word = text.strip().lower()
    return next((spelling for spelling in (word, word.title()) if found.is_valid(spelling)), None)


_VALUES: Mapping[str, Callable[[str, str, Vocabulary], str | None]] = {
    "feed-date": _correct_date,
    "bad-url": _correct_url,
    "bad-language": _correct_language,
    "bad-keyword": _correct_keyword,
}
#: Codes of the defects that `correct` corrects.
CORRECTED = frozenset({*_VALUES, "guid-not-url", "unknown-element"})
