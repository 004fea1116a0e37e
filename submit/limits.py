"""Limits of removals: how much of a set may disappear at once."""

from typing import NamedTuple

__all__ = ["DEFAULT_LIMIT", "RemovalLimit"]


class RemovalLimit(NamedTuple):
    """How much of a set may disappear at once: more than both is too much."""

    urls: int
    percent: float


DEFAULT_LIMIT = RemovalLimit(20, 10.0)
