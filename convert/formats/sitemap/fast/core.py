"""
The items of a block: the fields of the protocol itself, and what is between them.

Extensions are not seen here: a mark stands for each of them, and is white space.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from sitemapx.convert.formats.sitemap.fast.cleaning import GONE
from sitemapx.convert.formats.sitemap.fast.patterns import IN_TAG, SPACE
from sitemapx.convert.values import datatypes, w3cdate

__all__ = ["FIELDS", "MARKS", "ItemPattern", "Items", "are_exact"]

#: The fields of the protocol itself, in the order of its schema.
FIELDS = ("loc", *datatypes.CORE)
_STEP = len(FIELDS) + 1
#: What may stand for an extension, one each; no document has these characters.
MARKS = "\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f"
_SPACE_OR_MARKS = rf"[ \t\n{GONE}{MARKS}]*+"
_TEXTS = dict.fromkeys(FIELDS, "([^<]*+)") | {"lastmod": rf"((?a:{w3cdate.W3C}|))"}
#: An attribute that means nothing, and no second one, which might be the same.
_ATTRIBUTE = (
    r"(?:[ \t\n]++(?!xmlns=)[A-Za-z_][A-Za-z0-9_.-]*+="
    r"(?:\"[^\"<\x00-\x08\x0b-\x1f]*+\"|'[^'<\x00-\x08\x0b-\x1f]*+'))?+"
)


class Items(NamedTuple):
    """
    A block, taken apart.

    Attributes:
        texts: Those of each field, None where an item does not have it.
        gaps: What stands before each item that was understood, and after the last.
        is_in_order: Whether all items have their fields in the order of the schema, and
            extensions after them.

    """

    texts: Mapping[str, Sequence[str | None]]
    gaps: Sequence[str]
    is_in_order: bool


def are_exact(texts: Mapping[str, Sequence[str | None]]) -> bool:
    """Return whether dates, words and numbers are written as the schema has them, if at all."""
    return "" not in texts["lastmod"] and all(
        text is None or match(text) for name, match in _EXACT.items() for text in {*texts[name]}
    )


_EXACT = {
    "changefreq": re.compile("always|hourly|daily|weekly|monthly|yearly|never").fullmatch,
    "priority": re.compile(r"0(?:\.[0-9]+)?|1(?:\.0+)?", re.ASCII).fullmatch,
}


class ItemPattern:
    """The pattern of the items of a document."""

    def __init__(self, item: str, prefixes: Sequence[str]) -> None:
        """
        Take the names.

        Args:
            item: The local name of the items.
            prefixes: Those of the sitemap's namespace, with their colons; that of the items first.

        """
        self._item = f"{prefixes[0]}{item}"
        self._prefixes = prefixes
        self._field = re.compile(rf"<{prefixes[0]}({'|'.join(FIELDS)})>")
        self._usual = lru_cache(maxsize=None)(self._make_usual)

    def split(self, text: str) -> Items:
        """Take a block apart, trying the order of fields in the first item before others."""
        first = self._field.findall(text, 0, max(text.find(f"</{self._item}>"), 0))
        order: tuple[str, ...] = tuple(dict.fromkeys([*first, *FIELDS]))
        parts: list[str] = self._usual(order).split(text)
        is_in_order = order == FIELDS and not any(parts[::_STEP])
        if any(parts[::_STEP]):
            parts = self._with_other_orders(parts, order)
        texts = {name: parts[n::_STEP] for n, name in enumerate(order, 1)}
        return Items(texts, parts[::_STEP], is_in_order)

    def _with_other_orders(self, parts: list[str], order: Sequence[str]) -> list[str]:
        """Look for items in what is between those that were found, whatever their order."""
        pattern, groups = self._any
        step = pattern.groups + 1
        numbers = [groups[name] for name in order]
        found: list[str] = []
        end = 0
        for start in (number * _STEP for number, gap in enumerate(parts[::_STEP]) if gap):
            found += parts[end:start]
            end = start + 1
            others: list[str] = pattern.split(parts[start])
            for at in range(0, len(others) - 1, step):
                found.append(others[at])
                found += [others[at + number] for number in numbers]
            found.append(others[-1])
        return found + parts[end:]

    def _make_usual(self, order: Sequence[str]) -> re.Pattern[str]:
        """Make the pattern of items with fields in this order, then extensions."""
        prefix = self._prefixes[0]
        # An alternative that is empty takes less time than `?`.
        fields = (
            rf"(?:<{prefix}{name}>{text}</{prefix}{name}>{SPACE}{'' if name == 'loc' else '|'})"
            for name, text in ((name, _TEXTS[name]) for name in order)
        )
        return re.compile(
            rf"<{self._item}>{SPACE}{''.join(fields)}{_SPACE_OR_MARKS}</{self._item}>{SPACE}"
        )

    @cached_property
    def _any(self) -> tuple[re.Pattern[str], dict[str, int]]:
        """
        Make the pattern of items with fields in any order, and the groups of their texts.

        They may have an attribute, another prefix of the namespace, padding, and no text.
        """
        own, *others = self._prefixes
        prefix, same = own, own
        groups: dict[str, int] = {}
        fields: list[str] = []
        for number, name in enumerate(FIELDS, 1):
            groups[name] = number
            if others:
                groups[name] = 2 * number
                prefix = f"({'|'.join(sorted(self._prefixes, reverse=True))})"
                same = rf"(?:\{2 * number - 1})"
            text = f"{SPACE}{_TEXTS[name]}{SPACE}" if name == "lastmod" else _TEXTS[name]
            end = f"</{same}{name}{IN_TAG}>"
            once = f"(?({groups[name]})(?!))"
            fields.append(f"{once}{prefix}{name}{_ATTRIBUTE}{IN_TAG}(?:/>|>{text}{end})")
        pattern = (
            rf"<{self._item}{_ATTRIBUTE}{IN_TAG}>{_SPACE_OR_MARKS}"
            rf"(?:<(?:{'|'.join(fields)}){_SPACE_OR_MARKS})*"
            rf"(?({groups['loc']})|(?!))</{self._item}>{SPACE}"
        )
        return re.compile(pattern), groups
