"""
Validation against the official schemas: https://www.sitemaps.org/protocol.html#validating

libxml2 validates (see `xsd`), and its errors get the codes of rules.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from operator import attrgetter

from lxml import etree

from sitemapx.check.schema.errors import (
    CROWDED,
    STOPPED,
    Finder,
    SchemaError,
    convert_error,
    find_missing_child,
)
from sitemapx.check.schema.xsd import schema_of
from sitemapx.check.view import BatchView, Versions
from sitemapx.convert.formats.sitemap.elements import identify_namespaces
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import w3cdate
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.xml.elements import split_name
from sitemapx.convert.xml.namespaces import is_unknown_variant, right_namespace
from sitemapx.convert.xml.parsers import XmlElement

#: Kinds of errors about the namespace of an element.
_NAME_KINDS = ("namespace", "SCHEMAV_CVC_ELT_1")
#: Maximum number of items validated at once: for each error, libxml2 counts the items before it.
_MOST_ITEMS = 1000
#: Maximum number of validated children per element below the root, for the same reason.
_MOST_CHILDREN = 2000
#: Number of rejected elements after which the rest of a document is not validated.
_MOST_ERRORS = 20_000


class DocumentValidator:
    """Validates a document, block by block; its root is `urlset` or `sitemapindex`."""

    def __init__(self, root: str) -> None:
        self._schema = schema_of(root)
        self._count = 0
        #: Rejected elements that have not been reported, each with the kind of error and a message.
        self._left: dict[XmlElement, tuple[str, str]] = {}
        #: The same elements by parent; elements with a wrong namespace by namespace.
        self._left_in: dict[XmlElement | str | None, list[XmlElement]] = {}
        self._reported: set[str] = set()
        self._namespaces: set[str] = set()

    @property
    def is_full(self) -> bool:
        """Whether the limit of rejected elements is exceeded, so that validation stops."""
        return self._count > _MOST_ERRORS

    def validate(self, root: XmlElement, *, is_head: bool = False) -> None:
        """
        Validate a block as if misspelt namespaces were correct, given the root of its tree.

        The tree has to be parsed from the block within the start tags that are open before it.
        Misspelt namespaces are rejected only after the head, the part before the first item
        (`is_head`).
        """
        if self.is_full:
            return
        right = _right_names(root)
        if right and not is_head:
            self._reject_namespaces(root, right)
        crowded = _crowded_elements(root)
        for element in crowded:
            self._record_error(element, (CROWDED, f"more than {_MOST_CHILDREN:,}"))
        for part, originals in _parts(root, has_crowds=bool(crowded)):
            self._validate_part(part, originals, right, is_head=is_head)
            if self.is_full:
                self._left[root] = STOPPED, f"more than {_MOST_ERRORS:,} schema errors"
                break

    def _validate_part(
        self,
        root: XmlElement,
        originals: Callable[[], Iterable[XmlElement]] | None,
        right: Mapping[str, str],
        *,
        is_head: bool,
    ) -> None:
        """Validate a tree or a copy; record the original elements of those that are rejected."""
        renamed = _rename(root, right) if right else root
        if self._schema.validate(renamed):
            return
        finder = Finder(renamed)
        errors = [(finder.find(error.path or ""), error) for error in self._schema.error_log]
        same: Mapping[XmlElement, XmlElement] = {}
        if right or originals:
            found = originals() if originals else root.iter("*")
            same = dict(zip(renamed.iter("*"), found, strict=True))
        for element, error in errors:
            kind = error.type_name, error.message
            if is_head and element is renamed and kind[0] == "SCHEMAV_CVC_ELT_1":
                continue
            self._record_error(same.get(element, element), kind)

    def _record_error(self, element: XmlElement, kind: tuple[str, str]) -> None:
        """Record that an element is rejected, unless that is already recorded."""
        if element not in self._left:
            self._left[element] = kind
            self._count += 1
            groups: list[XmlElement | str | None] = [element.getparent()]
            if kind[0] in _NAME_KINDS:
                groups.append(split_name(element)[0])
            for group in groups:
                self._left_in.setdefault(group, []).append(element)

    def _reject_namespaces(self, root: XmlElement, wrong: Collection[str]) -> None:
        """Reject the first element of each misspelt namespace."""
        for element in root.iter("*"):
            if element.tag not in wrong:
                continue
            namespace = split_name(element)[0]
            if namespace not in self._namespaces:
                self._namespaces.add(namespace)
                self._record_error(element, ("namespace", namespace))

    def take_error(self, element: XmlElement, code: str) -> bool:
        """
        Remove the error of an element, and those of its children if a required child is missing.

        Return whether there was any. `code` is the code of the problem that the reader reports; for
        `namespace`, the errors removed are those about the namespace of the element.
        """
        if not self._left and code != "namespace":
            return False
        elements = [element]
        if code == "namespace":
            namespace = split_name(element)[0]
            elements = self._left_in.pop(namespace, [])
            self._namespaces.add(namespace)
        elif find_missing_child(element):
            elements += self._left_in.pop(element, ())
        found = [self._left.pop(element, None) for element in elements]
        if not self._left:
            self._left_in.clear()
        return any(found)

    def take_errors(self) -> Iterator[SchemaError]:
        """Yield the remaining errors that have to be reported; then remove all errors."""
        for element, (kind, message) in self._left.items():
            error = convert_error(element, kind, message)
            if error and self._is_new(error.once):
                yield error
        self._left.clear()
        self._left_in.clear()

    def _is_new(self, once: str | None) -> bool:
        """Record the key of an error (`SchemaError.once`); return whether to report the error."""
        is_new = once is None or once not in self._reported
        if once is not None:
            self._reported.add(once)
        return is_new


def _parts(
    root: XmlElement, *, has_crowds: bool
) -> Iterator[tuple[XmlElement, Callable[[], Iterable[XmlElement]] | None]]:
    """
    Yield the tree and None; or copies of some items, each with a function that finds the originals.

    Large documents are copied in parts since libxml2 needs quadratic time for them.
    """
    if len(root) <= _MOST_ITEMS and not has_crowds:
        yield root, None
        return
    own = {root.prefix: split_name(root)[0]} if split_name(root)[0] else {}
    for at in range(0, len(root), _MOST_ITEMS):
        items = root[at : at + _MOST_ITEMS]
        part = etree.Element(root.tag, dict(root.attrib), own)
        part.text = root.text if at == 0 else None
        for item in items:
            _copy(item, part, own)
        yield part, partial(_elements, root, items)


def _copy(element: XmlElement, parent: XmlElement, known: Mapping[str | None, str]) -> None:
    """
    Append a copy of an element to `parent`, without children beyond the limit.

    Args:
        known: Prefixes that are declared in the parent. Others are declared where they are used,
            since libxml2 compares each element with all declarations in scope.

    """
    namespace = split_name(element)[0]
    own = {element.prefix: namespace} if known.get(element.prefix, "") != namespace else None
    copy = etree.SubElement(parent, str(element.tag), dict(element.attrib), own)
    copy.text, copy.tail = element.text, element.tail
    for child in element[:_MOST_CHILDREN]:
        _copy(child, copy, known)


def _crowded_elements(root: XmlElement) -> list[XmlElement]:
    """Return the elements below the root that have too many children to validate all of them."""
    return [element for element in root.iterdescendants("*") if len(element) > _MOST_CHILDREN]


def _elements(root: XmlElement, items: list[XmlElement]) -> Iterator[XmlElement]:
    """Yield the root and the validated elements of the given items."""
    yield root
    for item in items:
        yield from _validated_elements(item)


def _validated_elements(element: XmlElement) -> Iterator[XmlElement]:
    yield element
    for child in element[:_MOST_CHILDREN]:
        yield from _validated_elements(child)


def _right_names(root: XmlElement) -> dict[str, str]:
    """Map the lxml tags with misspelt namespaces to the correct tags."""
    tags = set(map(attrgetter("tag"), root.iter("*")))
    is_known = not any(is_unknown_variant(str(tag).rpartition("}")[0][1:]) for tag in tags)
    meant = {} if is_known else identify_namespaces(root.iter("*"))
    return {tag: name for tag in tags if (name := _right_name(str(tag), meant)) != tag}


def _rename(root: XmlElement, right: Mapping[str, str]) -> XmlElement:
    """Copy a tree with corrected names."""
    renamed = deepcopy(root)
    for element in renamed.iter("*"):
        if name := right.get(str(element.tag)):
            element.tag = name
    return renamed


def _right_name(tag: str, meant: Mapping[str, str]) -> str:
    namespace, _, name = tag.rpartition("}")
    right = right_namespace(namespace[1:]) or meant.get(namespace[1:])
    if right is None:
        return tag
    try:
        return etree.QName(right, name).text
    except ValueError:  # recovery leaves invalid names
        return tag


# ---- values that the schema certainly accepts, checked for a whole batch at once

_SHORTEST_LOC = 12
_FIELDS = frozenset({"loc", "lastmod", "changefreq", "priority", "alternates", "images"})
#: Whitespace that readers strip from values although XML does not define it as such, and
#: character references, which may encode it.
_beyond_xml = re.compile(
    rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80|&#"
).search
_is_language = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*").fullmatch


def are_values_valid(view: BatchView, data: bytes) -> bool:
    """
    Return True only if all values of a batch are certainly valid; False means "unknown".

    The elements of the batch must be valid and in order, and its keywords and numbers valid. `data`
    are its items as written.
    """
    batch, counts = view.batch, view.batch.field_counts()
    if not counts.keys() <= _FIELDS:
        return False
    return (
        batch.uris() is not None
        and not (_may_be_beyond_xml(data) and _beyond_xml(data))
        and min(map(len, batch.locs())) >= _SHORTEST_LOC
        and ("alternates" not in counts or _are_links_valid(data, view.versions))
        and ("images" not in counts or _are_images_valid(batch))
        and (
            "lastmod" not in counts
            or w3cdate.are_schema_dates(set(filter(None, batch.column("lastmod"))))
        )
    )


def _may_be_beyond_xml(data: bytes) -> bool:
    """Return False if data certainly has no whitespace beyond XML, as a quick test."""
    return not data.isascii() or (b"#" in data and b"&#" in data)


def _are_links_valid(data: bytes, versions: Versions) -> bool:
    """Return True only if all alternate links certainly have a valid URL and language."""
    languages = {language for some in set(versions.languages) for language in some}
    return (
        versions.are_normal
        and b" media=" not in data  # media queries have a syntax of their own
        and data.count(b" href=") == sum(map(len, versions.hrefs))
        and all(map(_is_language, languages))
    )


def _are_images_valid(batch: Batch) -> bool:
    """Return True only if all URLs of images are certainly valid URIs."""
    images = [image for some in batch.column("images") for image in some]
    addresses = [image.loc or "" for image in images] + [
        image.license for image in images if image.license
    ]
    return UriList.of_list(addresses) is not None
