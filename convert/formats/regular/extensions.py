"""Elements of which an item may have several: which of them belong to it, and what they make."""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sitemapx.convert.formats.regular.columns import Column, gathered, owners
from sitemapx.convert.formats.regular.items import MARKS
from sitemapx.convert.formats.regular.patterns import Pattern, Taken
from sitemapx.convert.model.batch import EMPTY
from sitemapx.convert.xml.parsers import XmlElement

if TYPE_CHECKING:
    from sitemapx.convert.formats.regular.foreign import ForeignPattern

__all__ = ["Extension", "ForeignExtension"]


class Extension:
    """
    The elements of one kind in the items of a document.

    Attributes:
        field: The field of an entry that they make.
        mark: Stands for each when they were taken out of a text.
        is_needed: Whether their values are needed, whatever fields are wanted.

    """

    def __init__(
        self,
        field: str,
        starts: Collection[str],
        mark: str,
        make: Callable[[], Pattern],
        *,
        most: int | None = None,
        is_needed: bool = False,
        are_unique: bool = False,
    ) -> None:
        """
        Take what makes their pattern, which is compiled when the first is seen.

        Args:
            starts: How the elements begin.
            most: How many an item may have; None: any number.
            is_needed: Whether their values are needed, whatever fields are wanted.
            are_unique: Whether an item has each value only once.

        """
        self.field = field
        self.mark = mark
        self._starts = starts
        self._make = make
        self._most = most
        self.is_needed = is_needed
        self._are_unique = are_unique

    @cached_property
    def _pattern(self) -> Pattern:
        return self._make()

    def is_in(self, text: str) -> bool:
        """Return whether there may be such elements in a text."""
        return any(start in text for start in self._starts)

    def take(self, text: str, *, is_wanted: bool) -> Taken:
        """Put a mark in the place of each element; values may be missing where none is wanted."""
        return self._pattern.take(text, self.mark, is_wanted=is_wanted)

    def column(self, taken: Taken, pieces: Sequence[str], *, is_wanted: bool) -> Column | None:
        """
        Make the column of the items in which so many marks are.

        Args:
            is_wanted: Whether values are needed; else it is enough to know which items have one.

        Returns:
            None if some marks are elsewhere: in the text of another element.

        """
        counts = [piece.count(self.mark) for piece in pieces]
        if sum(counts) != taken.number:
            return None
        odd = {*owners(taken.odd, counts)}
        if self._most and max(counts) > self._most:
            odd.update(n for n, count in enumerate(counts) if count > self._most)
        losses = {name: owners(rows, counts) for name, rows in taken.losses.items()}
        if not is_wanted:
            return Column([count or None for count in counts], odd, losses)
        values = gathered(taken.values, counts)
        if self._are_unique and max(counts) > 1:
            values = [some if len(some) < 2 else tuple(dict.fromkeys(some)) for some in values]
        if EMPTY.get(self.field, ()) == ():
            return Column(values, odd, losses)
        return Column([some[0] if some else None for some in values], odd, losses)


class ForeignExtension(Extension):
    """The foreign elements that were learnt from items that were parsed."""

    def __init__(
        self,
        parse: Callable[[str], XmlElement | None],
        is_foreign: Callable[[XmlElement], bool],
    ) -> None:
        """
        Begin without any.

        Args:
            parse: Parses the content of an item.
            is_foreign: Returns whether a child of an item has no fields in an entry.

        """
        super().__init__("extras", (), MARKS[0], lambda: self._known)
        self._parse = parse
        self._is_foreign = is_foreign

    @cached_property
    def _known(self) -> "ForeignPattern":
        from sitemapx.convert.formats.regular.foreign import ForeignPattern

        return ForeignPattern(self._parse)

    def learn(self, element: XmlElement, item: str) -> bool:
        """Learn the foreign elements of an item that was parsed; return whether any is new."""
        foreign = list(filter(self._is_foreign, element))
        if not foreign:
            return False
        is_new = self._known.learn(foreign, item)
        self._starts = self._known.starts
        return is_new
