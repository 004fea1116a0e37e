"""Limits of removals: how much of a set may disappear at once."""

from typing import NamedTuple

__all__ = ["DEFAULT_LIMIT", "RemovalLimit"]


class RemovalLimit(NamedTuple):
    """The limit of removals: more than both of a set at once is too much."""

    urls: int
    percent: float


DEFAULT_LIMIT = RemovalLimit(20, 10.0)
