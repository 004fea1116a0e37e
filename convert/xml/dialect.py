"""What differs from format to format in XML documents that list items."""

from typing import NamedTuple

__all__ = ["Dialect"]


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
