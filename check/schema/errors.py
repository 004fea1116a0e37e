"""Maps the schema validation errors of libxml2 to rules of `check` and plain messages."""

import re
from itertools import islice
from typing import NamedTuple

from sitemapx.convert.formats.registry import FORMATS
from sitemapx.convert.formats.sitemap.elements import (
    find_datatype,
    find_element,
    find_prefix,
    to_schema_form,
)
from sitemapx.convert.values import datatypes, urls, w3cdate
from sitemapx.convert.values.dates import parse_date
from sitemapx.convert.xml.elements import local_name, name_of, split_name
from sitemapx.convert.xml.namespaces import NAMESPACES, prefix_of
from sitemapx.convert.xml.parsers import XmlElement

#: Kinds of pseudo-errors: not all children of an element, or not all of the document, are
#: validated.
CROWDED, STOPPED = "crowded", "stopped"

_NAMED = re.compile(r"(?:Element |(attribute ))'(?:\{[^}]*\})?([^']*)'")
_NAMESPACE = re.compile(r"\{[^}]*\}")
_ITEMS = {row.item for row in FORMATS if row.has_schema}
#: Number of elements of an item among which its URL is looked for.
_MOST_BEFORE_LOC = 100
_CORE = ("loc", "lastmod", "changefreq", "priority")
#: Codes that are reported once per element name and message.
_OF_NAMES = ("deprecated", "foreign-element", "xhtml-element")
#: Namespaces of former extensions of Google.
_ABANDONED = {f"http://www.google.com/{name}/schemas/sitemap/1.0" for name in ("codesearch", "geo")}
#: The elements of XHTML: https://www.w3.org/TR/xhtml1-schema/#xhtml1-strict
_XHTML = re.compile(
    "a|abbr|acronym|address|area|b|base|bdo|big|blockquote|body|br|button|caption|cite|"
    "code|col|colgroup|dd|del|dfn|div|dl|dt|em|fieldset|form|h1|h2|h3|h4|h5|h6|head|hr|"
    "html|i|img|input|ins|kbd|label|legend|li|link|map|meta|noscript|object|ol|optgroup|"
    "option|p|param|pre|q|samp|script|select|small|span|strong|style|sub|sup|table|tbody|"
    "td|textarea|tfoot|th|thead|title|tr|tt|ul|var"
)


class SchemaError(NamedTuple):
    """
    An element that is rejected, or not validated completely: the code of a rule, and the reason.

    Attributes:
        is_sure: Whether the official schema certainly rejects the element. It may accept parts that
            are not validated here, such as XHTML.

    """

    element: XmlElement
    code: str
    message: str
    is_sure: bool = True

    @property
    def name(self) -> str:
        return local_name(self.element)

    @property
    def namespace(self) -> str | None:
        """The namespace of the element if the schema rejects the namespace, else None."""
        return split_name(self.element)[0] if self.code == "namespace" else None

    @property
    def once(self) -> str | None:
        """Key of errors that are reported once per file; None if each is reported."""
        if self.code in _OF_NAMES or self.element.getparent() is None:
            return f"{self.name} {self.message}"
        return None

    @property
    def loc(self) -> str | None:
        """The URL of the item, from its `<loc>`; None if it has none, or the root is rejected."""
        elements = (self.element, *self.element.iterancestors("*"))
        if len(elements) == 1:
            return None  # the root may have very many children
        for child in islice(elements[-2].iterchildren("*"), _MOST_BEFORE_LOC):
            if local_name(child) == "loc" and not find_prefix(child):
                return urls.clean(child.text or "") or None
        return None

    def is_reported_by(self, message: str) -> bool:
        """Return whether a message quotes part of the rejected value; always true for `<loc>`."""
        if self.name == "loc":
            return True
        value = self.element.get("hreflang") or self.element.text or ""
        return any(word in message for word in value.split())


class Finder:
    """Finds elements of a tree by paths of libxml2, such as `/*/*[2]/image:image[1]`."""

    def __init__(self, root: XmlElement) -> None:
        self._root = root
        self._children: dict[XmlElement, list[XmlElement]] = {}
        self._named: dict[XmlElement, dict[str, list[XmlElement]]] = {}

    def find(self, path: str) -> XmlElement:
        """Return the element at a path; steps that lead to no element are skipped."""
        element = self._root
        for step in path.split("/")[2:]:
            name, _, number = step.removesuffix("]").partition("[")
            same = self._all_in(element) if name == "*" else self._named_in(element).get(name, [])
            index = int(number or 1)
            if index <= len(same):
                element = same[index - 1]
        return element

    def _all_in(self, parent: XmlElement) -> list[XmlElement]:
        """Return the children of an element; cached, as many paths have the same parents."""
        if parent not in self._children:
            self._children[parent] = list(parent.iterchildren("*"))
        return self._children[parent]

    def _named_in(self, parent: XmlElement) -> dict[str, list[XmlElement]]:
        if parent not in self._named:
            named = self._named[parent] = {}
            for child in self._all_in(parent):
                named.setdefault(name_of(child), []).append(child)
        return self._named[parent]


def find_missing_child(element: XmlElement) -> str | None:
    """
    Return the name of the first required child that is missing; None if all are present.

    Its absence makes later children look misplaced.
    """
    if shape := find_element(element):
        required = [child.name for child in shape.children if child.is_required]
    else:
        required = ["loc"] if local_name(element) in _ITEMS else []
    if not required:
        return None  # such as the root, which may have very many children
    names = {local_name(child) for child in element.iterchildren("*")}
    return next((name for name in required if name not in names), None)


def convert_error(element: XmlElement, kind: str, message: str) -> SchemaError | None:
    """
    Convert an error of libxml2; return None for an error that is reported elsewhere.

    `kind` is the name of the error type in libxml2, `namespace`, `CROWDED` or `STOPPED`.
    """
    parent, name = element.getparent(), local_name(element)
    text = (element.text or "").strip()
    if kind == CROWDED:
        reason = f"<{name}> contains {message} elements: only the first were validated"
        return SchemaError(element, "partly-validated", reason, is_sure=False)
    if kind == STOPPED:
        reason = f"{message}: the rest of this file was not validated"
        return SchemaError(element, "partly-validated", reason, is_sure=False)
    if parent is None and kind == "SCHEMAV_ELEMENT_CONTENT":
        return None  # a document without items has a code of its own
    if kind == "namespace" or (parent is None and kind == "SCHEMAV_CVC_ELT_1"):
        namespace = split_name(element)[0]
        return SchemaError(element, "namespace", f"<{name}> in namespace {namespace!r}")
    if kind == "SCHEMAV_CVC_ELT_1" or "strict wildcard" in message:
        namespace = split_name(element)[0]
        prefix = find_prefix(element)
        if prefix and namespace != NAMESPACES[prefix] and not element.getchildren():
            return None
        if prefix == "xhtml" and _XHTML.fullmatch(name):
            return SchemaError(
                element, "xhtml-element", f"<{name}> in the XHTML namespace", is_sure=False
            )
        if namespace in _ABANDONED:
            return SchemaError(element, "deprecated", f"<{name}:{name}> is deprecated")
        return SchemaError(element, "foreign-element", f"<{name}> in namespace {namespace!r}")
    if kind == "SCHEMAV_ELEMENT_CONTENT":
        return _misplaced_error(element)
    is_known = find_datatype(element)[0] is not None
    if "attribute" in message or len(element) or not is_known:
        return SchemaError(element, "schema", _simplify(message))
    if not text:
        return SchemaError(element, "empty-element", f"<{name}> is empty")
    right = to_schema_form(element)
    if w3cdate.is_w3c(text) and ("date" in name or name == "lastmod"):
        code = "date-format" if right else "date-precision"
        why = f"the schema requires {right!r}" if right else _why_imprecise(text)
        return SchemaError(element, code, f"<{name}> {text!r}: {why}")
    if right and name != "loc":
        return SchemaError(
            element, "value-format", f"<{name}> {element.text!r}: expected {right!r}"
        )
    if ("date" in name or name == "lastmod") and (date := parse_date(text)):
        why = f"expected {date} with a time zone" if "T" in date else _why_imprecise(date)
        return SchemaError(
            element, "schema", f"<{name}> {text!r}: {why}"
        )  # --fix does not handle it
    if "_VALID" in kind and name != "loc":
        return SchemaError(element, "bad-value", f"<{name}>: invalid value {element.text!r}")
    return SchemaError(element, "schema", _simplify(message))


def _why_imprecise(date: str) -> str:
    """Return why the schema rejects a valid W3C Datetime."""
    if len(date) < len("2026-01-01"):
        return f"the schema does not allow a {'year' if len(date) == 4 else 'month'} alone"
    if date[17:19] == "60":
        return "the schema does not allow leap seconds"
    return "the schema requires seconds, and the time zone is missing, too"


def _misplaced_error(element: XmlElement) -> SchemaError | None:
    """Return the error for a misplaced element, or a missing one; None if reported elsewhere."""
    parent, name = element.getparent(), local_name(element)
    if parent is None:
        return SchemaError(element, "schema", f"<{name_of(element)}> is not allowed here")
    if name in _ITEMS and parent.getparent() is None:
        return None  # an item of the other kind, which is reported elsewhere
    if missing := find_missing_child(parent):
        return SchemaError(parent, "missing-element", f"<{local_name(parent)}> has no <{missing}>")
    order = ChildOrder(parent)
    message = order.misplaced(element)
    if prefix_of(split_name(element)[0]) == "" and name in _CORE:
        return SchemaError(element, "wrong-order", message)
    has_order = local_name(parent) in _ITEMS or (not order.is_item and name in order.names)
    return SchemaError(element, "extension-order" if has_order else "schema", message)


def _simplify(message: str) -> str:
    """Remove namespaces, and quotes around names, from a message of libxml2."""
    return _NAMESPACE.sub("", _NAMED.sub(r"\1\2", message))


# ---- order of elements

_CORE_ORDER = ("loc", *datatypes.CORE)
#: Number of siblings before and after an element that are compared with it.
_MOST_SIBLINGS = 100


class ChildOrder:
    """
    The order of the children of an element in the schema.

    Attributes:
        names: Names of the children, in order.
        is_item: Whether the element counts as an item, in which extensions come last; true unless
            the tables of the extensions describe the element.

    """

    def __init__(self, parent: XmlElement) -> None:
        shape = find_element(parent)
        self.is_item = shape is None
        self.names = _CORE_ORDER if shape is None else [child.name for child in shape.children]

    def rank_of(self, child: XmlElement) -> int | None:
        """Return the rank of a child; None if it is not in the schema."""
        namespace, name = split_name(child)
        if self.is_item and prefix_of(namespace) != "":
            return len(self.names)
        return self.names.index(name) if name in self.names else None

    def misplaced(self, child: XmlElement) -> str:
        """Return a message about a misplaced child: where to move it, or that it is not allowed."""
        if found := self.place_of(child):
            place, other = found
            return f"<{name_of(child)}> must come {place} <{name_of(other)}>"
        return f"<{name_of(child)}> is not allowed here"

    def place_of(self, child: XmlElement) -> tuple[str, XmlElement] | None:
        """Return where to move a child: "before" or "after", and the sibling; None if nowhere."""
        rank = self.rank_of(child)
        if rank is None:
            return None
        for others, is_later, place in (
            (child.itersiblings("*", preceding=True), True, "before"),
            (child.itersiblings("*"), False, "after"),
        ):
            found = None  # the farthest sibling that must be on the other side
            for other in islice(others, _MOST_SIBLINGS):
                other_rank = self.rank_of(other)
                if other_rank is not None and other_rank != rank:
                    found = other if (other_rank > rank) == is_later else found
            if found is not None:
                return place, found
        return None
