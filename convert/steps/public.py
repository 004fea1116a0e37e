"""The public names of `sitemapx.convert.steps`, imported on first use."""

from sitemapx.convert.steps.alternates import alternates_as_entries
from sitemapx.convert.steps.articles import news
from sitemapx.convert.steps.fields import assign, drop, enclosures_as_media
from sitemapx.convert.steps.filters import exclude, head, include, sample, since, unique
from sitemapx.convert.steps.order import newest, sort
from sitemapx.convert.steps.step import Step
from sitemapx.convert.steps.urls import rewrite, strip_params

__all__ = [
    "Step",
    "alternates_as_entries",
    "assign",
    "drop",
    "enclosures_as_media",
    "exclude",
    "head",
    "include",
    "newest",
    "news",
    "rewrite",
    "sample",
    "since",
    "sort",
    "strip_params",
    "unique",
]
