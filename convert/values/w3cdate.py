"""
W3C Datetimes (https://www.w3.org/TR/NOTE-datetime), the form in which the model stores dates.

A date is a text with the precision and offset of its source, such as `2024-05`.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from sitemapx.patterns import lazy_pattern

#: Matches an existing day in the Gregorian calendar, except for leap days.
_MONTH_DAY = (
    r"(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)"
    r"|(?:0[13578]|1[02])-31)"
)
_LEAP = r"(?:(?:[02468][048]|[13579][26])00|\d\d(?:0[48]|[2468][048]|[13579][26]))-02-29"
#: Matches a time; the zone may be missing.
_TIME = (
    r"T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?"
    r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?"
)
#: Matches the usual form, a subset of `_ANY`, faster and without backtracking.
_USUAL = (
    rf"[1-9]\d\d\d-(?>{_MONTH_DAY})"
    r"(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?+(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d))?+"
)
_ANY = rf"(?!0000)(?:(?:\d{{4}}-{_MONTH_DAY}|{_LEAP})(?:{_TIME})?|\d{{4}}(?:-(?:0[1-9]|1[0-2]))?)"
#: Matches W3C Datetimes, also without a zone; use with `re.ASCII`.
W3C = rf"(?:{_USUAL}|{_ANY})"
_w3c = lazy_pattern(W3C, re.ASCII)
_w3c_lines = lazy_pattern(rf"(?:(?:{W3C})?\n)*+", re.ASCII)
#: https://www.rfc-editor.org/rfc/rfc3339#section-5.6
_RFC3339 = lazy_pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_SCHEMA_TIME = r"T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)"
_schema_lines = lazy_pattern(
    rf"(?:(?!0000)(?:\d{{4}}-{_MONTH_DAY}|{_LEAP})(?:{_SCHEMA_TIME})?\n)*+", re.ASCII
)


def is_w3c(text: str) -> bool:
    """Return whether a text is a W3C Datetime and the day exists; the zone may be missing."""
    return _w3c.fullmatch(text) is not None


def why_not_rfc3339(text: str) -> str:
    """Return why a text is not a date of RFC 3339, as Atom and JSON Feed require; "" if valid."""
    if _RFC3339.fullmatch(text) and is_w3c(text):
        return ""
    return "expected a date such as 2026-06-01T10:00:00Z (RFC 3339)"


def are_w3c(dates: Iterable[str]) -> bool:
    """Return whether all texts are W3C Datetimes or empty."""
    return _all_lines(_w3c_lines, list(dates))


def are_schema_dates(dates: Iterable[str]) -> bool:
    """Return True only if `to_schema_date` certainly leaves all dates unchanged."""
    return _all_lines(_schema_lines, list(dates))


def _all_lines(pattern: re.Pattern[str], lines: list[str]) -> bool:
    text = "\n".join(lines) + "\n"
    return text.count("\n") == max(len(lines), 1) and pattern.fullmatch(text) is not None


def to_schema_date(date: str) -> tuple[str | None, str | None]:
    """
    Convert a W3C Datetime to a date that the official schemas allow.

    Return the date (a day, or a time with seconds and zone), or None if there is no valid form, and
    a message about the error or loss, or None. The schemas reject `1997` and `1997-07`; the
    protocol rejects a time without a zone.
    """
    if not is_w3c(date):
        return None, f"invalid date {date!r}: expected a W3C Datetime such as 2026-11-22"
    if len(date) == 10:
        return date, None
    if len(date) < 10:
        return None, f"date without a day is not valid in the schema: {date!r}"
    if date[-1] != "Z" and date[-6] not in "+-":
        return date[:10], f"time without a time zone: {date!r}"
    if date[16] != ":":
        return f"{date[:16]}:00{date[16:]}", None
    if date[17:19] == "60":
        return f"{date[:17]}59{date[19:]}", f"leap second is not valid in the schema: {date!r}"
    return date, None


def moment(date: str) -> datetime:
    """Return the first moment of a valid W3C Datetime, in UTC if it has no zone."""
    padded = date + "-01-01"[len(date) - 4 :] if len(date) < 10 else date
    start = datetime.fromisoformat(padded.replace(":60", ":59"))
    return start if start.tzinfo else start.replace(tzinfo=UTC)
