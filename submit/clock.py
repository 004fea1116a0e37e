"""The clock of a run: the time, and how much of the budget is left."""

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Clock"]


class Clock(NamedTuple):
    """
    The time, and how much of it is left.

    Attributes:
        now: Returns the time, in seconds since 1970.
        left: Returns how many seconds of the budget are left.

    """

    now: Callable[[], float]
    left: Callable[[], float]
