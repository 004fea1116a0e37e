"""Patterns that take all elements of a kind out of a text, and make values of them."""

import re
from collections.abc import Callable, Collection, Iterable
from itertools import repeat
from typing import Any, NamedTuple

from sitemapx.convert.formats.regular.cleaning import GONE
from sitemapx.convert.formats.regular.columns import NO_LOSSES, Column, Losses
from sitemapx.convert.formats.regular.models import Groups

__all__ = ["IN_TAG", "QUOTED", "SPACE", "VALUE", "Pattern", "TagPattern", "Taken", "value_like"]

#: White space between elements, and within tags.
SPACE, IN_TAG = rf"[ \t\n{GONE}]*+", r"[ \t\n]*+"
#: What is not in the value of an attribute: markup, and what stands where some was.
_NOT_IN_VALUES = r"<\x00-\x08\x0b-\x1f"
_DOUBLE, _SINGLE = (f"[^{quote}{_NOT_IN_VALUES}]*+" for quote in "\"'")
#: The value of an attribute, in its quotation marks.
QUOTED = f"(?:\"{_DOUBLE}\"|'{_SINGLE}')"


def value_like(double: str, single: str) -> str:
    """
    Match the value of an attribute, of which a group has what is between the quotation marks.

    Args:
        double: The pattern of what may be between double ones.
        single: Between single ones.

    """
    return f"[\"']((?<=\"){double}(?=\")|(?<='){single}(?='))[\"']"


VALUE = value_like(_DOUBLE, _SINGLE)


_Make = Callable[[Groups], Column | tuple[Iterable[Any], Collection[int]] | None]


class Taken(NamedTuple):
    """
    Elements of one kind that were taken out of a text.

    Attributes:
        text: The text, with a mark in the place of each.
        number: How many there are.
        values: What is made of each, when they are asked for.
        odd: The numbers of those that the slow path has to look at.
        losses: The numbers of those in which something is left out, by its name.

    """

    text: str
    number: int
    values: Iterable[Any] = ()
    odd: Collection[int] = ()
    losses: Losses = NO_LOSSES


class Pattern:
    """A pattern that takes all elements of a kind out of a text, and makes values of them."""

    def __init__(self) -> None:
        self._groups = 0

    def _compile(self, pattern: str, make: _Make, check: _Make | None = None) -> None:
        """
        Compile the pattern.

        Args:
            make: Makes values of the texts of its groups, and numbers the odd ones.
            check: Does the same where only the odd ones matter, if that takes less time.

        """
        self._split = re.compile(pattern).split
        self._make = make
        self._check = check or make

    def take(self, text: str, mark: str, *, is_wanted: bool = True) -> Taken:
        """Put a mark in the place of each of the elements; values may be wrong if not wanted."""
        parts = self._split(text)
        step = self._groups + 1
        number = len(parts) // step
        make = self._make if is_wanted else self._check
        made = make([parts[n::step] for n in range(1, step)]) if number else None
        rest = mark.join(parts[::step])
        if made is None:
            return Taken(rest, number, repeat(None, number))
        losses = made.losses if isinstance(made, Column) else NO_LOSSES
        return Taken(rest, number, made[0], made[1], losses)

    def _group(self) -> int:
        self._groups += 1
        return self._groups

    def _attribute(self, name: str, value: str = VALUE) -> tuple[str, int]:
        """Make the pattern of an attribute that is there once, and give the group of its value."""
        number = self._group()
        return f"{name}=(?({number})(?!)){value}", number


class TagPattern(Pattern):
    """The pattern of an element that says something by being there."""

    def __init__(self, name: str) -> None:
        """Compile it for this name, which has its prefix."""
        super().__init__()
        pattern = rf"<{name}{IN_TAG}(?:/()>|>(){SPACE}</{name}{IN_TAG}>)"
        self._groups = 2
        self._compile(pattern, lambda groups: Column([True] * len(groups[0])))
