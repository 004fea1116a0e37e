"""
Reports of search engines: sitemaps that they list, and pages that they inspected.

An engine that reports, withdraws or inspects has the method of the protocol here; others lack it.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

from sitemapx.convert.values.clock import of_timestamp
from sitemapx.submit.engines.exchange import Answer, Steps

__all__ = [
    "Inspecting",
    "Inspection",
    "InspectionQuota",
    "Reporting",
    "SitemapReport",
    "Withdrawing",
    "moment",
    "whole_number",
]

_is_number = re.compile("[0-9]{1,18}").fullmatch
#: Years before are how some programs say that there is no date.
_FIRST_YEAR = 1990


class SitemapReport(NamedTuple):
    """
    A sitemap as a search engine lists it.

    Attributes:
        url: URL of the sitemap.
        kind: Kind in the words of the search engine; `index` for an index.
        submitted: When it was submitted last, as a W3C Datetime; None if unknown.
        downloaded: When it was downloaded last, likewise.
        is_pending: Whether it has not been processed yet.
        errors: Number of errors; None if unknown.
        warnings: Number of warnings; None if unknown.
        urls: Number of URLs; None if unknown.
        status: State in the words of the search engine; empty if it has none.

    """

    url: str
    kind: str = ""
    submitted: str | None = None
    downloaded: str | None = None
    is_pending: bool = False
    errors: int | None = None
    warnings: int | None = None
    urls: int | None = None
    status: str = ""


class Inspection(NamedTuple):
    """
    The state of a page in the index of a search engine, in the words of that.

    Attributes:
        url: URL of the page.
        verdict: Whether it is in the index, such as `PASS`.
        coverage: Explanation of the verdict.
        crawled: When the page was crawled last, as a W3C Datetime; None if it never was.
        fetch: Result of the last crawl, such as `SUCCESSFUL`.
        robots: Whether robots.txt allows the page, such as `ALLOWED`.
        canonical: URL that stands for the page in the index; empty if there is none.

    """

    url: str
    verdict: str = ""
    coverage: str = ""
    crawled: str | None = None
    fetch: str = ""
    robots: str = ""
    canonical: str = ""


class InspectionQuota(NamedTuple):
    """Number of pages of a site that a search engine inspects, per day and per minute."""

    per_day: int
    per_minute: int


@runtime_checkable
class Reporting(Protocol):
    """An engine that lists sitemaps."""

    def report(self, host: str, site: str) -> Steps[Sequence[SitemapReport]]:
        """
        List the sitemaps of a site.

        Args:
            host: Host name of the site, with the port if it has one.
            site: Scheme and host, such as `https://example.com`.

        Raises:
            RefusedError: If the search engine does not list them.

        """
        ...


@runtime_checkable
class Withdrawing(Protocol):
    """An engine from which sitemaps can be withdrawn."""

    def withdraw(self, sitemap: str, host: str, site: str) -> Steps[Answer]:
        """
        Withdraw a sitemap; one that is not there any more counts as withdrawn.

        Args:
            sitemap: URL of the sitemap.
            host: Host name of its site, with the port if it has one.
            site: Scheme and host of it.

        Raises:
            RefusedError: If the search engine refuses the site.

        """
        ...


@runtime_checkable
class Inspecting(Protocol):
    """An engine that inspects pages."""

    inspection_quota: ClassVar[InspectionQuota]

    def property_of(self, url: str) -> str:
        """Return the site that the quota of a page belongs to; known after one is inspected."""
        ...

    def inspect(self, url: str, host: str, site: str) -> Steps[Inspection]:
        """
        Inspect a page.

        Args:
            url: URL of the page.
            host: Host name of its site, with the port if it has one.
            site: Scheme and host of it.

        Raises:
            RefusedError: If the search engine does not inspect the page.

        """
        ...


def moment(value: object) -> str | None:
    """
    Return a date and time in ISO 8601 as a W3C Datetime in UTC; None if it is none.

    >>> moment("2016-01-01T00:00:00,000+0300")
    '2015-12-31T21:00:00Z'

    """
    with suppress(ValueError, OverflowError, OSError):
        found = datetime.fromisoformat(str(value).replace(",", "."))
        if found.year > _FIRST_YEAR and found.tzinfo:
            return of_timestamp(found.timestamp())
    return None


def whole_number(value: object) -> int | None:
    """
    Return a number that may be written as text; None if it is none.

    >>> whole_number("12"), whole_number(12), whole_number("many")
    (12, 12, None)

    """
    return int(str(value)) if not isinstance(value, bool) and _is_number(str(value)) else None
