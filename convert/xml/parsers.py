"""
The parser of XML, which opens no file, asks no server and expands no entity.

lxml is imported when something is first parsed: regular documents need none of it.
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
    Parse a document, and return its root; None if it is not well-formed.

    Args:
        recover: Whether to make of a document that is not well-formed what can be made of it.

    """
    from lxml.etree import XMLSyntaxError, fromstring

    try:
        return fromstring(document, _parser(recover=recover))
    except XMLSyntaxError:
        return None


# ---- what differs from format to format in XML documents that list items


class Dialect(NamedTuple):
    """
    A kind of XML documents.

    Attributes:
        item: Local name of the items.
        is_list: Whether the element around the items has no other contents, and no item holds
            another one; what is there anyway is reported.
        has_html: Whether HTML's named characters are known. Items that are not well-formed are then
            given as they are, too, for a more tolerant parser.

    """

    item: str
    is_list: bool = False
    has_html: bool = False
