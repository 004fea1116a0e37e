"""
What the official schemas of sitemaps refuse: https://www.sitemaps.org/protocol.html#validating

libxml2 judges (see `xsd`), and here its verdicts get the codes of rules. What a reader tells of
an element anyway is not told again.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import lru_cache, partial
from operator import attrgetter

from lxml import etree

from sitemapx.convert.elements import local_name, split_name
from sitemapx.convert.findings import Rule
from sitemapx.convert.namespaces import canonical
from sitemapx.convert.rules.refusals import Finder, Refusal, lacking, refusal_of
from sitemapx.convert.xsd import schema_of

__all__ = ["RULES", "Refusals"]

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
        "Write it as in the message.",
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
    "xhtml-element": Rule(
        "note",
        "an element of XHTML that is no link to another version",
        "It may stand there by its schema, but engines look for xhtml:link only.",
        f"{_GOOGLE}/combine-sitemap-extensions",
        "Leave it out unless somebody reads it.",
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

#: Of what is refused for its namespace.
_NAME_KINDS = ("namespace", "SCHEMAV_CVC_ELT_1")
#: So many items are judged at once: libxml2 counts those before each one that it refuses.
_MOST_ITEMS = 1000
#: So many kinds of items are remembered as right.
_MOST_SKELETONS = 2000


class Refusals:
    """What the schema refuses in the blocks of a document, one after the other."""

    def __init__(self, root: str) -> None:
        """Take the root of the document, `urlset` or `sitemapindex`."""
        self._schema = schema_of(root)
        self._left: dict[etree._Element, tuple[str, str]] = {}
        self._told: set[str] = set()
        self._right: set[str] = set()
        self._namespaces: set[str] = set()

    def see(self, root: etree._Element, *, is_start: bool = False) -> None:
        """
        Judge a block, parsed between the start tags around it, as if all names were right.

        Args:
            is_start: Whether it is all before the first item, which is where names are looked at.

        """
        right = _right_names(root)
        if right and not is_start:
            self._see_names(root, right)
        for part, originals in _parts(root):
            self._judge(part, originals, right, is_start=is_start)

    def _judge(
        self,
        root: etree._Element,
        originals: Callable[[], Iterable[etree._Element]],
        right: Mapping[str, str],
        *,
        is_start: bool,
    ) -> None:
        """Judge a part; what is refused in it is remembered as the elements that it was made of."""
        judged = _renamed(root, right) if right else root
        if self._schema.validate(judged):
            return
        finder = Finder(judged)
        errors = [(finder.find(one.path or ""), one) for one in self._schema.error_log]
        same = dict(zip(judged.iter("*"), originals(), strict=True))
        for element, error in errors:
            kind = error.type_name, error.message
            if is_start and element is judged and kind[0] == "SCHEMAV_CVC_ELT_1":
                continue
            self._left.setdefault(same[element], kind)

    def _see_names(self, root: etree._Element, wrong: Collection[str]) -> None:
        """Refuse the first element of each namespace that is not written as it should be."""
        for element in root.iter("*"):
            if element.tag not in wrong:
                continue
            namespace = split_name(element)[0]
            if namespace not in self._namespaces:
                self._namespaces.add(namespace)
                self._left[element] = "namespace", namespace

    def accept(self, skeletons: Collection[str]) -> bool:
        """Tell whether items that look so are right, if their values are."""
        return self._right.issuperset(skeletons)

    def learn(self, skeletons: Collection[str]) -> None:
        """Remember what the items of the block that was seen last look like, if all are right."""
        if not self._left and len(self._right) < _MOST_SKELETONS:
            self._right.update(one for one in skeletons if 'media="' not in one)

    def take(self, element: etree._Element, code: str) -> bool:
        """
        Tell whether this element is refused, or for lack of something what is in it.

        Args:
            code: What the reader found there.

        """
        told = [element]
        if code == "namespace":
            namespace = split_name(element)[0]
            told += [one for one in self._left if split_name(one)[0] == namespace]
            told = [one for one in told if self._left.get(one, ("",))[0] in _NAME_KINDS]
            self._namespaces.add(namespace)
        elif lacking(element):
            told += [one for one in self._left if one.getparent() is element]
        found = [self._left.pop(one, None) for one in told]
        return any(found)

    def rest(self) -> Iterator[Refusal]:
        """Give what nobody took, and forget the block."""
        for element, (kind, message) in self._left.items():
            refusal = refusal_of(element, kind, message)
            if refusal and self._is_news(refusal):
                yield refusal
        self._left.clear()

    def _is_news(self, refusal: Refusal) -> bool:
        """Tell what concerns the root, or all elements of a name, but once."""
        if (
            refusal.code not in ("foreign-element", "xhtml-element")
            and refusal.element.getparent() is not None
        ):
            return True
        key = f"{local_name(refusal.element)} {refusal.message}"
        is_news = key not in self._told
        self._told.add(key)
        return is_news


def _parts(
    root: etree._Element,
) -> Iterator[tuple[etree._Element, Callable[[], Iterable[etree._Element]]]]:
    """Give a tree, or copies of its items, each with what lists the elements it was made of."""
    if len(root) <= _MOST_ITEMS:
        yield root, partial(root.iter, "*")
        return
    for at in range(0, len(root), _MOST_ITEMS):
        items = root[at : at + _MOST_ITEMS]
        part = etree.Element(root.tag, dict(root.attrib), root.nsmap)
        part.text = root.text if at == 0 else None
        part.extend(map(deepcopy, items))
        yield part, partial(_elements, root, items)


def _elements(root: etree._Element, items: list[etree._Element]) -> Iterator[etree._Element]:
    """List a root and all elements of some of its items."""
    yield root
    for item in items:
        yield from item.iter("*")


def _right_names(root: etree._Element) -> dict[str, str]:
    """Give the right names for those that are in what is only meant for a namespace."""
    tags = set(map(attrgetter("tag"), root.iter("*")))
    return {tag: name for tag in tags if (name := _right_name(str(tag))) != tag}


def _renamed(root: etree._Element, right: Mapping[str, str]) -> etree._Element:
    """Copy a tree with the right names."""
    renamed = deepcopy(root)
    for element in renamed.iter("*"):
        if name := right.get(str(element.tag)):
            element.tag = name
    return renamed


@lru_cache(1000)
def _right_name(tag: str) -> str:
    namespace, _, name = tag.rpartition("}")
    right = canonical(namespace[1:])
    if right is None:
        return tag
    try:
        return etree.QName(right, name).text
    except ValueError:  # recovery leaves names that are none, which nothing can be called
        return tag
