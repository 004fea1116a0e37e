"""
The items of a block: the fields that each may have once, and what is between them.

Elements that were taken out before are not seen here: a mark stands for each, and is white space.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from sitemapx.convert.formats.regular.cleaning import GONE
from sitemapx.convert.formats.regular.patterns import SPACE

__all__ = ["MARKS", "FieldPattern", "ItemPattern", "Items", "once"]

#: What may stand for an element, one for each kind; no document has these characters.
MARKS = "\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f"
_SPACE_OR_MARKS = rf"[ \t\n{GONE}{MARKS}]*+"


#: For so many orders of fields there are patterns: to compile one takes time.
_MOST_ORDERS = 4


class FieldPattern(NamedTuple):
    """
    The patterns of a field.

    Attributes:
        usual: Matches it as nearly everybody writes it; its groups are those of `names`.
        loose: Makes the pattern of all its writings; takes the number of its first group.
        names: Those of the columns that its groups make.
        hidden: How many groups `loose` has before these.

    """

    usual: str
    loose: Callable[[int], str]
    names: Sequence[str]
    hidden: int = 0


def once(number: int) -> str:
    """Match nothing, unless the group with this number has taken part in the match."""
    return f"(?({number})(?!))"


class Items(NamedTuple):
    """
    A block, taken apart.

    Attributes:
        texts: Those of each column, None where an item does not have it.
        gaps: What stands before each item that was understood, and after the last.
        is_in_order: Whether all items have their fields in the order in which the format has them.

    """

    texts: Mapping[str, Sequence[str | None]]
    gaps: Sequence[str]
    is_in_order: bool


class ItemPattern:
    """The pattern of the items of a document."""

    def __init__(
        self,
        item: str,
        fields: Mapping[str, FieldPattern],
        required: str,
        *,
        prefix: str = "",
        attributes: str = "",
        between: str = _SPACE_OR_MARKS,
    ) -> None:
        """
        Take the names.

        Args:
            item: That of the items, with its prefix.
            fields: The patterns of the fields by their names, without prefix.
            required: The field without which an item is not understood.
            prefix: That of the fields.
            attributes: A pattern of those that an item may have.
            between: What may stand between fields in their usual order.

        """
        self._item = item
        self._fields = fields
        self._required = required
        self._attributes = attributes
        self._between = between
        self._start = re.compile(rf"<{prefix}({'|'.join(fields)})[ >]")
        self._usual = cache(self._make_usual)
        self._orders: list[tuple[str, ...]] = []
        self._are_mixed = False

    def split(self, text: str) -> Items:
        """
        Take a block apart.

        The order of fields in the first item is tried before others, unless those were most often
        right in an earlier block.
        """
        if self._are_mixed:
            return self._in_any_order(text)
        first = self._start.findall(text, 0, max(text.find(f"</{self._item}>"), 0))
        order: tuple[str, ...] = tuple(dict.fromkeys([*first, *self._fields]))
        if order not in self._orders:
            if len(self._orders) == _MOST_ORDERS:
                order = self._orders[-1]
            else:
                self._orders.append(order)
        names = [name for field in order for name in self._fields[field].names]
        step = len(names) + 1
        parts: list[str] = self._usual(order).split(text)
        other = sum(map(bool, parts[::step]))
        is_in_order = order == tuple(self._fields) and not other
        self._are_mixed = 2 * step * other > len(parts)
        if other:
            parts = self._with_other_orders(parts, names)
        texts = {name: parts[n::step] for n, name in enumerate(names, 1)}
        return Items(texts, parts[::step], is_in_order)

    def _in_any_order(self, text: str) -> Items:
        pattern, groups = self._any
        parts = pattern.split(text)
        step = pattern.groups + 1
        texts = {name: parts[number::step] for name, number in groups.items()}
        return Items(texts, parts[::step], is_in_order=False)

    def _with_other_orders(self, parts: list[str], names: Sequence[str]) -> list[str]:
        """Look for items in what is between those that were found, whatever their order."""
        pattern, groups = self._any
        step = pattern.groups + 1
        numbers = [groups[name] for name in names]
        usual_step = len(names) + 1
        found: list[str] = []
        end = 0
        for start in (number * usual_step for number, gap in enumerate(parts[::usual_step]) if gap):
            found += parts[end:start]
            end = start + 1
            others: list[str] = pattern.split(parts[start])
            for at in range(0, len(others) - 1, step):
                found.append(others[at])
                found += [others[at + number] for number in numbers]
            found.append(others[-1])
        return found + parts[end:]

    def _make_usual(self, order: Sequence[str]) -> re.Pattern[str]:
        """Make the pattern of items with fields in this order."""
        # An alternative that is empty takes less time than `?`.
        fields = "".join(
            rf"(?:{self._fields[name].usual}{self._between}{'' if name == self._required else '|'})"
            for name in order
        )
        return re.compile(
            rf"<{self._item}>{self._between}{fields}{_SPACE_OR_MARKS}</{self._item}>{SPACE}"
        )

    @cached_property
    def _any(self) -> tuple[re.Pattern[str], dict[str, int]]:
        """Make the pattern of items with fields in any order, and the groups of its columns."""
        groups: dict[str, int] = {}
        loose: list[str] = []
        number = 1
        for field in self._fields.values():
            loose.append(field.loose(number))
            number += field.hidden
            for name in field.names:
                groups[name] = number
                number += 1
        needed = groups[self._fields[self._required].names[-1]]
        pattern = (
            rf"<{self._item}{self._attributes}>{_SPACE_OR_MARKS}"
            rf"(?:<(?:{'|'.join(loose)}){_SPACE_OR_MARKS})*"
            rf"(?({needed})|(?!))</{self._item}>{SPACE}"
        )
        return re.compile(pattern), groups
