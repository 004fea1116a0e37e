"""Errors of libxml2: where each is, and the code of the rule that it breaks."""

import re
from itertools import islice
from typing import NamedTuple

from sitemapx.check.schema.order import misplaced
from sitemapx.convert.formats.registry import FORMATS
from sitemapx.convert.formats.sitemap.elements import kind_of, meant_prefix, respelled, shape_of
from sitemapx.convert.values import urls, w3cdate
from sitemapx.convert.values.dates import parse_date
from sitemapx.convert.xml.elements import local_name, name_of, split_name
from sitemapx.convert.xml.namespaces import NAMESPACES, prefix_of
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["CROWDED", "Finder", "Refusal", "lacking", "refusal_of"]

#: The kind of what is no error: an element of which not all children are judged.
CROWDED = "crowded"

_NAMED = re.compile(r"(?:Element |(attribute ))'(?:\{[^}]*\})?([^']*)'")
_NAMESPACE = re.compile(r"\{[^}]*\}")
_STEP = re.compile(r"([^/\[]+)(?:\[(\d+)\])?")
_ITEMS = {row.item for row in FORMATS if row.has_schema}
#: The URL of an item is looked for among so many of its elements.
_MOST_BEFORE_LOC = 100
_CORE = ("loc", "lastmod", "changefreq", "priority")
#: The codes of what is told once of all elements of a name.
_OF_NAMES = ("foreign-element", "xhtml-element")
#: The elements of XHTML: https://www.w3.org/TR/xhtml1-schema/#xhtml1-strict
_XHTML = re.compile(
    "a|abbr|acronym|address|area|b|base|bdo|big|blockquote|body|br|button|caption|cite|"
    "code|col|colgroup|dd|del|dfn|div|dl|dt|em|fieldset|form|h1|h2|h3|h4|h5|h6|head|hr|"
    "html|i|img|input|ins|kbd|label|legend|li|link|map|meta|noscript|object|ol|optgroup|"
    "option|p|param|pre|q|samp|script|select|small|span|strong|style|sub|sup|table|tbody|"
    "td|textarea|tfoot|th|thead|title|tr|tt|ul|var"
)


class Refusal(NamedTuple):
    """
    A refused element: the code under which it is reported, and the reason in words.

    Attributes:
        is_sure: Whether the official schema refuses it; of what may stand in XHTML, it says more
            than is known here.

    """

    element: XmlElement
    code: str
    message: str
    is_sure: bool = True

    @property
    def namespace(self) -> str | None:
        """The namespace of the element, if that is what is refused."""
        return split_name(self.element)[0] if self.code == "namespace" else None

    @property
    def once(self) -> str | None:
        """What is told only once: of the root, or of all elements of a name; None if all are."""
        if self.code in _OF_NAMES or self.element.getparent() is None:
            return f"{local_name(self.element)} {self.message}"
        return None

    @property
    def loc(self) -> str | None:
        """The URL of the item that the element stands in."""
        for item in (self.element, *self.element.iterancestors("*")):
            if item.getparent() is None:
                break  # the root has items, and may have very many
            children = islice(item.iterchildren("*"), _MOST_BEFORE_LOC)
            loc = next((one for one in children if local_name(one) == "loc"), None)
            if loc is not None:
                return urls.clean(loc.text or "") or None
        return None


class Finder:
    """Finds elements of a tree by paths of libxml2, such as `/*/*[2]/image:image[1]`."""

    def __init__(self, root: XmlElement) -> None:
        self._root = root
        self._children: dict[tuple[XmlElement, str], list[XmlElement]] = {}

    def find(self, path: str) -> XmlElement:
        """Find an element, or the last one on the way to it."""
        element = self._root
        for step in path.split("/")[2:]:
            m = _STEP.fullmatch(step)
            if m is None:
                break
            same, number = self._same(element, m[1]), int(m[2] or 1)
            if number <= len(same):
                element = same[number - 1]
        return element

    def _same(self, parent: XmlElement, name: str) -> list[XmlElement]:
        """List the children of this name; they are counted once, however many paths there are."""
        if (parent, name) not in self._children:
            children = parent.iterchildren("*")
            self._children[parent, name] = [one for one in children if name in ("*", name_of(one))]
        return self._children[parent, name]


def lacking(element: XmlElement) -> str | None:
    """Name what an element lacks: then what comes after that stands where it may not."""
    if shape := shape_of(element):
        required = [child.name for child in shape.children if child.is_required]
    else:
        required = ["loc"] if local_name(element) in _ITEMS else []
    if not required:
        return None  # as with the root, which may have very many children
    names = {local_name(child) for child in element.iterchildren("*")}
    return next((name for name in required if name not in names), None)


def refusal_of(element: XmlElement, kind: str, message: str) -> Refusal | None:
    """Map an error of libxml2 to the code of a rule; None for what is reported elsewhere."""
    parent, name = element.getparent(), local_name(element)
    text = (element.text or "").strip()
    if kind == CROWDED:
        reason = f"<{name}> contains {message} elements: only the first were validated"
        return Refusal(element, "partly-judged", reason, is_sure=False)
    if parent is None and kind == "SCHEMAV_ELEMENT_CONTENT":
        return None  # no items, which has a code of its own
    if kind == "namespace" or (parent is None and kind == "SCHEMAV_CVC_ELT_1"):
        namespace = split_name(element)[0]
        return Refusal(element, "namespace", f"<{name}> in namespace {namespace!r}")
    if kind == "SCHEMAV_CVC_ELT_1" or "strict wildcard" in message:
        namespace = split_name(element)[0]
        prefix = meant_prefix(element)
        if prefix and namespace != NAMESPACES[prefix] and not element.getchildren():
            return None
        if prefix == "xhtml" and _XHTML.fullmatch(name):
            return Refusal(
                element, "xhtml-element", f"<{name}> in the XHTML namespace", is_sure=False
            )
        return Refusal(element, "foreign-element", f"<{name}> in namespace {namespace!r}")
    if kind == "SCHEMAV_ELEMENT_CONTENT":
        return _misplaced(element)
    is_known = kind_of(element)[0] is not None
    if "attribute" in message or len(element) or not is_known:
        return Refusal(element, "schema", _plain(message))
    if not text:
        return Refusal(element, "empty-element", f"<{name}> is empty")
    right = respelled(element)
    if w3cdate.is_w3c(text) and ("date" in name or name == "lastmod"):
        code = "date-form" if right else "date-precision"
        why = f"the schema requires {right!r}" if right else _why_imprecise(text)
        return Refusal(element, code, f"<{name}> {text!r}: {why}")
    if right and name != "loc":
        return Refusal(element, "value-form", f"<{name}> {element.text!r}: expected {right!r}")
    if ("date" in name or name == "lastmod") and (date := parse_date(text)):
        why = f"expected {date} with a time zone" if "T" in date else _why_imprecise(date)
        return Refusal(element, "schema", f"<{name}> {text!r}: {why}")  # --fix cannot know it
    if "_VALID" in kind and name != "loc":
        return Refusal(element, "bad-value", f"<{name}>: invalid value {element.text!r}")
    return Refusal(element, "schema", _plain(message))


def _why_imprecise(date: str) -> str:
    """Say what the schema does not allow in a W3C Datetime that cannot be written as it wants."""
    if len(date) < len("2026-01-01"):
        return f"the schema does not allow a {'year' if len(date) == 4 else 'month'} alone"
    if date[17:19] == "60":
        return "the schema does not allow leap seconds"
    return "the schema requires seconds, and the time zone is missing, too"


def _misplaced(element: XmlElement) -> Refusal | None:
    """Return why an element may not stand where it does."""
    parent, name = element.getparent(), local_name(element)
    if parent is None:
        return Refusal(element, "schema", misplaced(element))
    if name in _ITEMS and parent.getparent() is None:
        return None  # an item of the other kind, which is reported as beside the items
    if missing := lacking(parent):
        return Refusal(parent, "incomplete", f"<{local_name(parent)}> has no <{missing}>")
    if prefix_of(split_name(element)[0]) == "" and name in _CORE:
        return Refusal(element, "wrong-order", misplaced(element))
    shape = shape_of(parent)
    known = [child.name for child in shape.children] if shape else []
    has_order = name in known or local_name(parent) in _ITEMS
    return Refusal(element, "extension-order" if has_order else "schema", misplaced(element))


def _plain(message: str) -> str:
    """Leave out of a message of libxml2 what is but noise."""
    return _NAMESPACE.sub("", _NAMED.sub(r"\1\2", message))
