"""
Steps between reader and writer: each takes a stream of entries, and gives another.

    convert(sources, target, steps=[exclude(["/drafts/*"]), since("7d"), sort("loc")])

They run in the order in which they are listed. What they are told in words (patterns, dates,
addresses) is checked when they are made: `UsageError` tells what is wrong with it.
"""

from sitemapx.convert.steps.addresses import rewrite, strip_params
from sitemapx.convert.steps.choosing import exclude, include, since, unique
from sitemapx.convert.steps.fields import assign, drop, enclosures_as_media
from sitemapx.convert.steps.ordering import newest, sort
from sitemapx.convert.steps.step import Step

__all__ = [
    "Step",
    "assign",
    "drop",
    "enclosures_as_media",
    "exclude",
    "include",
    "newest",
    "rewrite",
    "since",
    "sort",
    "strip_params",
    "unique",
]
