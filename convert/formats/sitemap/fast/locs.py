"""
The grammar of sitemaps of which nobody wants more than the URLs.

Of other fields and extensions it is enough that they are right: they are only counted.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from sitemapx.convert.formats.regular.cleaning import GONE
from sitemapx.convert.formats.regular.columns import Column, raw_loc_column
from sitemapx.convert.formats.regular.items import MARKS, Items, once
from sitemapx.convert.formats.regular.patterns import SPACE
from sitemapx.convert.formats.sitemap.fast.core import FIELDS
from sitemapx.convert.formats.sitemap.fast.extensions import extensions_of, is_foreign
from sitemapx.convert.formats.sitemap.fast.usual import UsualExtension, usual_extensions
from sitemapx.convert.formats.sitemap.vocabulary import EXTENSIONS
from sitemapx.convert.values import w3cdate

__all__ = ["LocGrammar"]

#: What fields are like of which nothing is to be reported; a group tells that they are there.
_TEXTS = {
    "loc": "([^<]++)",
    "lastmod": f"()(?a:{w3cdate.W3C})",
    "changefreq": "()(?:always|hourly|daily|weekly|monthly|yearly|never)",
    "priority": r"()(?:0(?:\.[0-9]++|)|1(?:\.0++|))",
}
#: The extensions of which an item has one at most.
_SINGLE = frozenset(element.field for element in EXTENSIONS.values() if element.most == 1)
#: An item with more elements may have more of a kind than it should.
_MOST = 1000


class LocGrammar:
    """
    The grammar of a document of the sitemap protocol, for its URLs.

    Attributes:
        extensions: Those that the pattern of an item leaves out.

    """

    is_exact = True
    is_foreign = staticmethod(is_foreign)

    def __init__(self, item: str, prefix: str, prefixes: Mapping[str, str]) -> None:
        """
        Take the names that the document gives to things.

        Args:
            item: The local name of the items.
            prefix: That of the sitemap's namespace, with its colon.
            prefixes: All of them, with their namespaces.

        """
        extensions = usual_extensions(prefixes)
        self._names = [*FIELDS, *extensions]
        rest = extensions_of(prefixes, in_order=False)
        self.extensions = [one for one in rest if one.field not in extensions]
        marks = "".join(one.mark for one in self.extensions)
        self._space = rf"[ \t\n{GONE}{MARKS[0]}{marks}]*+"
        self._prefix = prefix
        self._item = f"{prefix}{item}"
        self._checks = {name: one.are_right for name, one in extensions.items() if one.are_right}
        # A group before something is kept in the match even where the rest does not fit.
        self._others = [
            self._extension(number, one, once(number) if name in _SINGLE else "")
            for number, (name, one) in enumerate(extensions.items(), len(FIELDS) + 1)
        ]
        self._is_in_order = not extensions  # which make both patterns large
        self._pattern = cache(self._compiled)

    def split(self, text: str) -> Items:
        """Take a block apart, with fields in any order once they are not in the usual one."""
        step = len(self._names) + 1
        parts = self._pattern(self._is_in_order).split(text)
        if self._is_in_order and any(parts[::step]):
            self._is_in_order = False
            parts = self._pattern(self._is_in_order).split(text)
        texts = {name: parts[number::step] for number, name in enumerate(self._names, 1)}
        return Items(texts, parts[::step], is_in_order=False)

    def columns(self, items: Items, marks: str) -> dict[str, Column] | None:
        """Make the column of the URLs, and of what else is there; None if it needs cleaning."""
        locs = raw_loc_column(cast("Sequence[str]", items.texts["loc"]))
        columns = {name: Column(texts) for name, texts in items.texts.items()}
        for name, are_right in self._checks.items():
            rows = enumerate(items.texts[name])
            odd = [row for row, text in rows if text is not None and not are_right(text)]
            columns[name] = columns[name]._replace(odd=odd)
        return columns | {"loc": locs} if locs else None

    def joined(self, columns: dict[str, Column]) -> dict[str, Column]:
        """Take the columns as they are."""
        return columns

    def _compiled(self, is_in_order: bool) -> re.Pattern[str]:
        return re.compile(self._in_order() if is_in_order else self._in_any_order())

    def _in_order(self) -> str:
        """Match an item with its fields in the order of the schema, which takes the least time."""
        loc, *fields = (f"<{self._field(name)}{self._space}" for name in FIELDS)
        others = (
            f"(?:<(?:{'|'.join(self._others)}){self._space}){{0,{_MOST}}}+" if self._others else ""
        )
        return self._matched(f"{loc}{''.join(f'(?:{field}|)' for field in fields)}{others}")

    def _in_any_order(self) -> str:
        """Match an item with its fields in any order."""
        fields = [self._field(name, once(number)) for number, name in enumerate(FIELDS, 1)]
        return self._matched(
            f"(?:<(?:{'|'.join([*fields, *self._others])}){self._space}){{0,{_MOST}}}+(?(1)|(?!))"
        )

    def _matched(self, inside: str) -> str:
        # No mark may be between items.
        return f"<{self._item}>{self._space}{inside}</{self._item}>{SPACE}"

    def _extension(self, number: int, one: UsualExtension, condition: str) -> str:
        """Match an element after its `<`; the group has what has to be looked at besides."""
        # What begins with a character is passed over fast where that is another one.
        if not one.are_right:
            return f"{one.name}{condition}{one.pattern}()"
        rest = rf"(?:[^<]++|<(?!/{self._item}>))*+"
        return f"{one.name}{condition}(?({number})|(?=({rest}))){one.pattern}"

    def _field(self, name: str, condition: str = "") -> str:
        """Match a field after its `<`."""
        tag = f"{self._prefix}{name}"
        return f"{tag}{condition}>{_TEXTS[name]}</{tag}>"
