"""What the grammars of RSS and Atom are made of."""

from collections.abc import Callable, Iterator, Sequence

from sitemapx.convert.formats.feeds.handlers import FeedItem, extra
from sitemapx.convert.formats.feeds.items import FeedItemReader
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.regular.extensions import Extension
from sitemapx.convert.formats.regular.items import MARKS, FieldPattern, once
from sitemapx.convert.formats.regular.patterns import IN_TAG, Pattern
from sitemapx.convert.xml.elements import split_name
from sitemapx.convert.xml.namespaces import right_namespace
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["FeedGrammar", "text_field"]

_TEXT = rf"([^<{MARKS}]*+)"


def text_field(name: str, usual: str = "", loose: str = "", *more: str) -> FieldPattern:
    """
    Make the pattern of an element with a text.

    Args:
        usual: The pattern of its attributes, as nearly everybody writes them.
        loose: That of its attributes, however they are written.
        more: The names of the groups in these.

    """
    return FieldPattern(
        usual=f"<{name}{usual}>{_TEXT}</{name}>",
        loose=lambda number: (
            f"{once(number + len(more))}{name}{loose}{IN_TAG}(?:/>|>{_TEXT}</{name}{IN_TAG}>)"
        ),
        names=[*more, name],
    )


class FeedGrammar:
    """
    The part of a grammar that RSS and Atom have in common.

    Attributes:
        extensions: The elements of which an item may have several.

    """

    is_exact = False

    def __init__(self, reader: FeedItemReader) -> None:
        """
        Begin without extensions.

        Args:
            reader: Knows which elements are foreign.

        """
        self.extensions: list[Extension] = []
        self._reader = reader
        self._marks: Iterator[str] = iter(MARKS[1:])

    @property
    def _context(self) -> Context:
        return self._reader.context

    def _add(
        self,
        field: str,
        names: Sequence[str],
        make: Callable[[], Pattern],
        *,
        is_needed: bool = False,
    ) -> None:
        """Add an extension; `is_needed` says that its values are, whatever fields are wanted."""
        starts = [f"<{name}" for name in names]
        mark = next(self._marks)
        are_unique = field in ("authors", "categories")
        extension = Extension(field, starts, mark, make, is_needed=is_needed, are_unique=are_unique)
        self.extensions.append(extension)

    def is_foreign(self, element: XmlElement) -> bool:
        """Return whether a child of an item has no fields in an entry."""
        parent = element.getparent()
        if parent is None or not isinstance(element.tag, str):
            return False
        namespace = split_name(element)[0]
        if not namespace or right_namespace(namespace) not in (None, namespace):
            return False
        return self._reader.handler_of(element, FeedItem(parent, 0)) is extra
