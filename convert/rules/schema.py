"""
What the official schemas of sitemaps refuse: https://www.sitemaps.org/protocol.html#validating

libxml2 judges (see `xsd`), and here its verdicts get the codes of rules. What a reader tells of
an element anyway is not told again.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from lxml import etree

from sitemapx.convert import dates, urls
from sitemapx.convert.elements import local_name, split_name
from sitemapx.convert.findings import Rule
from sitemapx.convert.namespaces import NAMESPACES, SITEMAP, prefix_of
from sitemapx.convert.xsd import schema_of

__all__ = ["RULES", "Refusal", "Refusals"]

_PROTOCOL = "https://www.sitemaps.org/protocol.html"
_VALIDATING = f"{_PROTOCOL}#validating"
_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/sitemaps"

RULES = {
    "wrong-order": Rule(
        "error",
        "an element before or after one that it may not",
        "The schema wants loc, lastmod, changefreq, priority in this order, and extensions last.",
        _VALIDATING,
        "Put the elements into that order.",
        fix=True,
        schema=True,
    ),
    "extension-order": Rule(
        "warning",
        "an element of an extension in another order than its schema wants",
        "Google reads any order, but its schemas, and what validates by them, do not.",
        f"{_GOOGLE}/combine-sitemap-extensions",
        "Put the elements into the order of the schema.",
        fix=True,
        schema=True,
    ),
    "empty-element": Rule(
        "error",
        "an element with nothing in it",
        "An empty text is no date, no number and none of the words that may stand there.",
        _VALIDATING,
        "Leave the element out.",
        fix=True,
        schema=True,
    ),
    "date-form": Rule(
        "warning",
        "a date that is right, but not in the form that the schema knows",
        "The schema knows times to the second; to the minute, which W3C Datetime allows, it "
        "refuses them.",
        "https://www.w3.org/TR/NOTE-datetime",
        "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm.",
        fix=True,
        schema=True,
    ),
    "date-precision": Rule(
        "warning",
        "a date that is right, but says less, or more, than the schema allows",
        "The schema refuses a year or a month alone, and leap seconds, which W3C Datetime allows.",
        "https://www.w3.org/TR/NOTE-datetime",
        "Write the day, if it is known.",
        schema=True,
    ),
    "value-form": Rule(
        "error",
        "a value that can be understood, but is not spelt as the schema wants",
        "Validators, and readers that take them literally, know these values in one spelling only.",
        _VALIDATING,
        "Write it as the schema does: lower case, no spaces around it.",
        fix=True,
        schema=True,
    ),
    "foreign-element": Rule(
        "warning",
        "an element of a namespace that the schemas do not know",
        "Other namespaces may extend a sitemap, but validate only with a schema of their own.",
        f"{_PROTOCOL}#extending",
        "Leave it out unless somebody reads it.",
        schema=True,
    ),
    "schema": Rule(
        "error",
        "something else that the official schema refuses",
        "A sitemap must be valid by the schema of the protocol.",
        _VALIDATING,
        "Follow the message, which is that of the validator.",
        schema=True,
    ),
}

_NAMES = re.compile(r"\{[^}]*\}|Element |'(?=\w+'[:,])|(?<=\w)'(?=[:,])")
_STEP = re.compile(r"([^/\[]+)(?:\[(\d+)\])?")
_CORE = ("loc", "lastmod", "changefreq", "priority")


class Refusal(NamedTuple):
    """An element that is refused, under which code, and why in words."""

    element: etree._Element
    code: str
    message: str

    @property
    def loc(self) -> str | None:
        """The URL of the item that the element stands in."""
        for item in (self.element, *self.element.iterancestors("*")):
            if (loc := item.find("{*}loc")) is not None:
                return urls.clean(loc.text or "") or None
        return None


class Refusals:
    """What the schema refuses in the blocks of a document, one after the other."""

    def __init__(self, root: str) -> None:
        """Take the root of the document, `urlset` or `sitemapindex`."""
        self._schema = schema_of(root)
        self._left: dict[etree._Element, tuple[str, str]] = {}
        self._told: set[str] = set()

    def see(self, root: etree._Element) -> None:
        """Judge a block, parsed between the start tags around it."""
        if not self._schema.validate(root):
            for error in self._schema.error_log:
                element = _element_at(root, error.path or "")
                self._left.setdefault(element, (error.type_name, error.message))

    def take(self, element: etree._Element) -> bool:
        """Tell whether this element is refused; whoever asks tells the user."""
        return self._left.pop(element, None) is not None

    def rest(self) -> Iterator[Refusal]:
        """Give what nobody took, and forget the block."""
        for element, (kind, message) in self._left.items():
            refusal = _refusal(element, kind, message)
            if refusal and self._is_news(refusal):
                yield refusal
        self._left.clear()

    def _is_news(self, refusal: Refusal) -> bool:
        """Tell what concerns the root, or all elements of a name, but once."""
        if refusal.code != "foreign-element" and refusal.element.getparent() is not None:
            return True
        key = f"{local_name(refusal.element)} {refusal.message}"
        is_news = key not in self._told
        self._told.add(key)
        return is_news


def _element_at(root: etree._Element, path: str) -> etree._Element:
    """Find the element of a path such as `/*/*[2]/image:image[1]`, as libxml2 writes them."""
    element = root
    for step in path.split("/")[2:]:
        m = _STEP.fullmatch(step)
        if m is None:
            break
        name, number = m[1], int(m[2] or 1)
        if name != "*":
            prefix, _, local = name.rpartition(":")
            children = element.iterchildren("{*}" + local)
            same = (one for one in children if one.prefix == (prefix or None))
            element = next(islice(same, number - 1, None), element)
        elif number <= len(element):
            element = element[number - 1]
    return element


def _refusal(element: etree._Element, kind: str, message: str) -> Refusal | None:
    """Give an error of libxml2 the code of a rule; None for what is told elsewhere."""
    parent, name = element.getparent(), local_name(element)
    text = (element.text or "").strip()
    if parent is None and kind in ("SCHEMAV_CVC_ELT_1", "SCHEMAV_ELEMENT_CONTENT"):
        return None  # a namespace that is none, or no items: each has a code of its own
    if kind == "SCHEMAV_CVC_ELT_1" or "strict wildcard" in message:
        namespace = split_name(element)[0]
        prefix = prefix_of(namespace)
        if prefix and namespace != NAMESPACES[prefix] and not element.getchildren():
            return None
        return Refusal(element, "foreign-element", f"<{name}> of the namespace {namespace!r}")
    if kind == "SCHEMAV_ELEMENT_CONTENT":
        is_core = split_name(element)[0] == SITEMAP and name in _CORE
        said = f"<{name}> may not stand here"
        return Refusal(element, "wrong-order" if is_core else "extension-order", said)
    if not len(element) and not text and "attribute" not in message:
        return Refusal(element, "empty-element", f"<{name}> is empty")
    if dates.is_w3c(text) and ("date" in name or name == "lastmod"):
        is_kept = dates.to_schema_date(text)[1] is None
        code = "date-form" if is_kept else "date-precision"
        return Refusal(element, code, f"<{name}>: {text!r}")
    if "_VALID" in kind and "attribute" not in message and name != "loc":
        return Refusal(element, "value-form", f"<{name}>: {element.text!r}")
    return Refusal(element, "schema", _NAMES.sub("", message))
