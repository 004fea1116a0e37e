"""Limits of removals: how much of a set may disappear at once."""

from typing import NamedTuple

__all__ = ["DEFAULT_LIMIT", "RemovalLimit"]


class RemovalLimit(NamedTuple):
    """Maximum number and percentage of URLs of a set; removals that exceed both are held back."""

    urls: int = 0
    percent: float = 0.0


DEFAULT_LIMIT = RemovalLimit(urls=5, percent=10.0)
