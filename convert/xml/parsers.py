"""
The XML parser, which opens no files, uses no network and expands only predefined entities.

lxml is imported on first use, since regular documents are read without it.
"""

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import XMLParser, _Element

    XmlElement = _Element
else:
    XmlElement = object


@cache
def _parser(*, recover: bool) -> "XMLParser":
    from lxml.etree import XMLParser

    return XMLParser(
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )


def parse(document: bytes | str, *, recover: bool = False) -> XmlElement | None:
    """
    Parse a document without comments and instructions; return its root, or None if malformed.

    Raises `ValueError` for a string with an encoding declaration.
    """
    from lxml.etree import XMLSyntaxError, fromstring

    try:
        return fromstring(document, _parser(recover=recover))
    except XMLSyntaxError:
        return None


def find_defect_line(document: bytes) -> int | None:
    """Return the line of the first error in a document; None if it is well-formed."""
    from lxml.etree import XMLSyntaxError, fromstring

    try:
        fromstring(document, _parser(recover=False))
    except XMLSyntaxError as error:
        return error.lineno
    return None


class Dialect(NamedTuple):
    """
    Properties of an XML format that lists items.

    Attributes:
        item: Local name of the items in lower case.
        is_list: Whether the parent of the items has no other content, and items are never nested;
            violations are reported.
        has_html: Whether HTML's named entities are accepted. If so, malformed items are also
            returned as `ParsedItems.broken`, for a more tolerant parser.

    """

    item: str
    is_list: bool = False
    has_html: bool = False
