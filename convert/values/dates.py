"""
Parses dates in feeds, in standard and other forms.

RSS requires RFC 822 (https://www.rssboard.org/rss-specification), Atom RFC 3339. Real feeds also
contain variants of these without days, seconds or zones, asctime, compact ISO 8601, and languages
other than English, for which feedparser has parsers.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from time import strftime

from sitemapx.convert.values import zones
from sitemapx.convert.values.rfc822 import (
    MONTH,
    TIME,
    compose,
    is_usual,
    parse_rfc822,
    rewrite_usual,
)
from sitemapx.convert.values.w3cdate import is_w3c
from sitemapx.patterns import lazy_pattern

_ASCTIME = lazy_pattern(
    rf"[a-z]+,?\s+{MONTH}\s+(\d{{1,2}})\s+{TIME}\s+(?:(\S+)\s+)?(\d{{4}})", re.IGNORECASE
)
#: Dates in American order: month, day, year.
_MONTH_FIRST = lazy_pattern(
    rf"(?:[a-z]+\.?,?\s+)?{MONTH}\s+(\d{{1,2}}),?\s+(\d{{4}})(?:[\s,]+{TIME}\s*(.*))?",
    re.IGNORECASE,
)
#: ISO 8601 without hyphens, with a day of the year, or with a two-digit year.
_COMPACT = lazy_pattern(r"(\d{4})(\d\d)(\d\d)(?:T?(\d\d):?(\d\d)(?::?(\d\d))?(Z|[+-]\d\d:?\d\d)?)?")
_ORDINAL = lazy_pattern(r"(\d{4})-?(\d{3})")
_PADDED = lazy_pattern(r"(\d{4}-)0(\d\d-\d\d.*)")
_UNPADDED = lazy_pattern(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)(.*)")
_SHORT = lazy_pattern(r"(\d\d)-?(\d\d)-?(\d\d)|-(\d\d)-?(\d\d)")


def parse_feed_date(text: str, unknown: Callable[[str], object] = zones.ignore) -> str | None:
    """
    Convert a date in a feed to a W3C Datetime; None if it is ambiguous or invalid.

    `unknown` is called with the name of an unknown time zone, which is dropped from the date.

    >>> parse_feed_date("Mon, 26 January 2004 16:31:00 ET")
    '2004-01-26T16:31:00-05:00'
    >>> parse_feed_date("Sun, 16 Dec 2012 11:47:32 +zz:00") is None
    True
    """
    if is_usual(text):
        return rewrite_usual(text)
    text = " ".join(text.split())
    if date := parse_rfc822(text, unknown) or parse_date(text, unknown):
        return date
    if m := _ASCTIME.fullmatch(text):
        month, day, hour, minute, second, zone, year = m.groups()
        return compose(year, month, day, hour, minute, second, zone, unknown)
    if m := _MONTH_FIRST.fullmatch(text):
        month, day, year, hour, minute, second, zone = m.groups()
        return compose(year, month, day, hour, minute, second, zone, unknown)
    return _loose_iso(text) or _other_language(text)


def _loose_iso(text: str) -> str | None:
    if m := _COMPACT.fullmatch(text):
        year, month, day, hour, minute, second, zone = m.groups()
        time = f"T{hour}:{minute}:{second or '00'}{zone or ''}" if hour else ""
        return parse_date(f"{year}-{month}-{day}{time}")
    if m := _PADDED.fullmatch(text):
        return parse_date(m[1] + m[2])
    if m := _UNPADDED.fullmatch(text):
        return parse_date(f"{m[1]}-{int(m[2]):02}-{int(m[3]):02}{m[4]}")
    if m := _SHORT.fullmatch(text):
        year, month, day = (m[1], m[2], m[3]) if m[1] else (m[4], m[5], "")
        return parse_date(f"20{year}-{month}{'-' if day else ''}{day}")
    if m := _ORDINAL.fullmatch(text):
        from datetime import date, timedelta

        year, number = int(m[1]), int(m[2])
        if year and 1 <= number <= 366:
            day_of_year = date(year, 1, 1) + timedelta(days=number - 1)
            return day_of_year.isoformat() if day_of_year.year == year else None
    return None


def _other_language(text: str) -> str | None:
    """Convert a Korean, Greek or Hungarian date to a W3C Datetime in UTC; None for other texts."""
    if text.isascii():
        return None
    from feedparser.datetimes import greek, hungarian, korean

    parsers = (
        korean._parse_date_onblog,
        korean._parse_date_nate,
        greek._parse_date_greek,
        hungarian._parse_date_hungarian,
    )
    for parse in parsers:
        with suppress(KeyError, ValueError, OverflowError):  # unknown names, invalid numbers
            if utc := parse(text):
                return strftime("%Y-%m-%dT%H:%M:%SZ", utc)
    return None


#: Unambiguous variants: `2024-05-08 08:53:11+0000`, `…t…z`.
_LOOSE = lazy_pattern(r"(\d{4}-\d\d-\d\d)[Tt ]+(\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(.*)")


def parse_date(text: str, unknown: Callable[[str], object] = zones.ignore) -> str | None:
    """
    Convert an unambiguous date, including RFC 822, to a W3C Datetime; None for any other text.

    `unknown` is called with the name of an unknown time zone, which is dropped from the date.

    >>> parse_date("2024-05-08 08:53:11+0200")
    '2024-05-08T08:53:11+02:00'
    >>> parse_date("Wed, 08 May 2024 08:53:11 GMT")
    '2024-05-08T08:53:11Z'
    >>> parse_date("0000-00-00") is None
    True
    """
    text = text.strip()
    if is_w3c(text):
        return text
    if m := _LOOSE.fullmatch(text):
        return zones.add_zone(f"{m[1]}T{m[2].replace(',', '.')}", m[3], unknown)
    if text[:1].isalpha() or text[1:3].strip("0123456789"):  # a weekday or a day comes first
        return parse_rfc822(text, unknown)
    return None
