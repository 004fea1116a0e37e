"""The extensions of a document: which elements belong to one, and what is made of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial

from lxml import etree

from sitemapx.convert.formats.sitemap.fast.columns import Column, gathered, owners
from sitemapx.convert.formats.sitemap.fast.core import MARKS
from sitemapx.convert.formats.sitemap.fast.foreign import ForeignPattern
from sitemapx.convert.formats.sitemap.fast.patterns import (
    ElementPattern,
    LinkPattern,
    Pattern,
    TagPattern,
    Taken,
)
from sitemapx.convert.formats.sitemap.vocabulary import EXTENSIONS
from sitemapx.convert.model.batch import EMPTY
from sitemapx.convert.xml.elements import split_name
from sitemapx.convert.xml.namespaces import (
    NAMESPACES,
    UNDECLARED,
    prefix_of,
    right_namespace,
)

__all__ = ["Extension", "ForeignExtension", "extensions_of"]


class Extension:
    """
    The elements of one kind in the items of a document.

    Attributes:
        field: The field of an entry that they make.
        mark: Stands for each when they were taken out of a text.

    """

    def __init__(self, field: str, name: str, mark: str, make: Callable[[], Pattern]) -> None:
        """
        Take what makes their pattern, which is compiled when the first is seen.

        Args:
            name: That of the elements, with its prefix.

        """
        self.field = field
        self.mark = mark
        self._start = f"<{name}"
        self._make = make

    @cached_property
    def _pattern(self) -> Pattern:
        return self._make()

    def is_in(self, text: str) -> bool:
        """Return whether there may be such elements in a text."""
        return self._start in text

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
        odd = owners(taken.odd, counts)
        most = _MOST[self.field]
        if most and max(counts) > most:
            odd.update(n for n, count in enumerate(counts) if count > most)
        if not is_wanted:
            return Column([count or None for count in counts], odd)
        values = gathered(taken.values, counts)
        if EMPTY[self.field] == ():
            return Column(values, odd)
        return Column([some[0] if some else None for some in values], odd)


class ForeignExtension(Extension):
    """The foreign elements that were learnt from items that were parsed."""

    def __init__(self, parse: Callable[[str], etree._Element | None]) -> None:
        """
        Begin without any.

        Args:
            parse: Parses the content of an item.

        """
        super().__init__("extras", "", MARKS[0], partial(ForeignPattern, parse))
        self._starts: Collection[str] = ()

    def is_in(self, text: str) -> bool:
        """Return whether there may be elements in a text that were learnt."""
        return any(start in text for start in self._starts)

    def learn(self, element: etree._Element, item: str) -> bool:
        """Learn the foreign elements of an item that was parsed; return whether any is new."""
        foreign = list(filter(_is_foreign, element))
        pattern = self._pattern
        assert isinstance(pattern, ForeignPattern)
        is_new = bool(foreign) and pattern.learn(foreign, item)
        self._starts = pattern.starts
        return is_new


def _is_foreign(element: etree._Element) -> bool:
    """Return whether an element is of a namespace that has no fields in an entry."""
    if not isinstance(element.tag, str):
        return False
    namespace = split_name(element)[0]
    if not namespace or namespace.startswith(UNDECLARED):
        return False
    is_right = right_namespace(namespace) in (None, namespace)
    return is_right and prefix_of(namespace) not in ("", "xhtml", "mobile", *EXTENSIONS)


_MOST = {one.field: one.most for one in EXTENSIONS.values()} | dict.fromkeys(
    ("alternates", "mobile", "extras")
)


def extensions_of(prefixes: Mapping[str, str], *, in_order: bool) -> list[Extension]:
    """
    List those for which a document declares a prefix, with the right namespace.

    Args:
        in_order: Whether elements in them have to be in the order of the schema.

    """
    marks = iter(MARKS[1:])
    found: list[Extension] = []
    for name in ("xhtml", *EXTENSIONS, "mobile"):  # what is most is taken out first
        for prefix, namespace in prefixes.items():
            if namespace == NAMESPACES[name] and (mark := next(marks, "")):
                start = f"{prefix}:" if prefix else ""
                found.append(_extension(name, start, mark, in_order=in_order))
    return found


def _extension(name: str, prefix: str, mark: str, *, in_order: bool) -> Extension:
    if element := EXTENSIONS.get(name):
        make: Callable[[], Pattern] = partial(ElementPattern, element, prefix, in_order=in_order)
        return Extension(element.field, f"{prefix}{name}", mark, make)
    if name == "mobile":
        return Extension("mobile", f"{prefix}mobile", mark, partial(TagPattern, f"{prefix}mobile"))
    return Extension("alternates", f"{prefix}link", mark, partial(LinkPattern, f"{prefix}link"))
