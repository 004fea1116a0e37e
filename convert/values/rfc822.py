"""Parses dates of RFC 822 and its successors, as feeds contain them."""

import datetime
import re
from collections.abc import Callable
from functools import lru_cache

from sitemapx.convert.values import zones
from sitemapx.convert.values.w3cdate import is_w3c
from sitemapx.patterns import lazy_pattern

_MONTHS = {
    name: f"{number:02}"
    for number, name in enumerate(
        (
            *("january", "february", "march", "april", "may", "june", "july", "august"),
            *("september", "october", "november", "december"),
        ),
        1,
    )
}
_MONTHS_BY_START = {name[:3]: name for name in _MONTHS}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMBERS = {name[:3].title(): number for name, number in _MONTHS.items()}
_DAY = (
    r"(?:{digits} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r"|(?:29|30) (?:Jan|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r"|31 (?:Jan|Mar|May|Jul|Aug|Oct|Dec)"
    r"|29 Feb(?= (?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00) ))"
    r" (?!0000)\d{{4}} (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d"
)
#: The usual form in feeds: days with two digits, and only dates that exist (no 30 Feb).
_USUAL = (
    r"[A-Z][a-z]{2}, "
    + _DAY.format(digits=r"(?:0[1-9]|1\d|2[0-8])")
    + r" (?:GMT|[+-](?:0\d|1[0-3])[0-5]\d)"
)
_usual = lazy_pattern(_USUAL, re.ASCII)
#: RFC 822, 5.1, with the four-digit years of RFC 1123, 5.2.14, or two digits.
_STRICT = lazy_pattern(
    r"(?:(Mon|Tue|Wed|Thu|Fri|Sat|Sun),\s+)?(\d{1,2})\s+"
    r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+(\d{4}|\d\d)\s+"
    r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\s+(?:UT|GMT|[ECMP][SD]T|[A-IK-Z]|[+-]\d{4})"
    r"(?:\s*\([^()]*\))*",  # comments: RFC 822, 3.4.3
    re.IGNORECASE | re.ASCII,
)
MONTH = r"([a-z]{3,9})\.?"
TIME = r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?"
_RFC822 = lazy_pattern(
    rf"(?:[a-z]+\.?,?\s*)?(\d{{1,2}})[\s-]+{MONTH}[\s,-]+(\d{{4}}|\d\d)(?:[\sT,]+{TIME}\s*(.*))?",
    re.IGNORECASE,
)
_MILITARY = lazy_pattern(r"[A-IK-Y]", re.IGNORECASE)


def is_usual(text: str) -> bool:
    """Return whether a date is like `Wed, 08 May 2024 08:53:11 GMT`, or with `+0200` for GMT."""
    return _usual.fullmatch(text) is not None


def why_not_rfc822(text: str) -> str:
    """
    Return why a text is not a valid RFC 822 date, as RSS requires; empty if it is.

    >>> why_not_rfc822("Mon, 01 Jun 2026 10:00 GMT"), why_not_rfc822("Tue, 01 Jun 2026 10:00 GMT")
    ('', '1 June 2026 is a Monday')
    """
    m = _STRICT.fullmatch(text)
    if not m:
        return "expected a date such as Mon, 01 Jun 2026 10:00:00 GMT (RFC 822)"
    return _why_wrong_day(*m.groups())


@lru_cache(1000)
def _why_wrong_day(day: str | None, number: str, month: str, year: str) -> str:
    name, written = _MONTHS_BY_START[month.lower()], int(number)
    year = _full_year(year)
    try:
        weekday = datetime.date(int(year), int(_MONTHS[name]), written).weekday()
    except ValueError:
        return f"{name.title()} {year} does not have a day {written}"
    if day and not _WEEKDAYS[weekday].startswith(day.title()):
        return f"{written} {name.title()} {year} is a {_WEEKDAYS[weekday]}"
    return ""


def rewrite_usual(text: str) -> str:
    """Convert a date for which `is_usual` is true to a W3C Datetime."""
    zone = text[26:]
    offset = "Z" if zone in ("GMT", "-0000") else f"{zone[:3]}:{zone[3:]}"
    return f"{text[12:16]}-{_NUMBERS[text[8:11]]}-{text[5:7]}T{text[17:25]}{offset}"


def parse_rfc822(text: str, unknown: Callable[[str], object] = zones.ignore) -> str | None:
    """
    Convert a date of mail, HTTP or RSS to a W3C Datetime; None if it is invalid.

    The time or its seconds may be missing. `unknown` is called with the name of an unknown time
    zone, which is dropped from the date. `-0000` and military letters mean UTC
    (https://www.rfc-editor.org/rfc/rfc2822#section-4.3).
    """
    if is_usual(text):
        return rewrite_usual(text)
    if m := _RFC822.fullmatch(text.strip()):
        day, month, year, hour, minute, second, zone = m.groups()
        zone = "Z" if zone and _MILITARY.fullmatch(zone) else zone
        return compose(year, month, day, hour, minute, second, zone, unknown)
    return None


def _full_year(year: str) -> str:
    """Return a year with four digits: 80 to 99 are in the 20th century, 00 to 79 in the 21st."""
    return year if len(year) == 4 else ("19" if year >= "80" else "20") + year


def compose(
    year: str,
    month: str,
    day: str,
    hour: str | None,
    minute: str | None,
    second: str | None,
    zone: str | None,
    unknown: Callable[[str], object],
) -> str | None:
    """
    Combine the parts of a date into a W3C Datetime; None if any part is invalid.

    `month` is an English name or its beginning. Without `hour`, the result is a day. `unknown` is
    called with the name of an unknown time zone, which is dropped.
    """
    number = next((_MONTHS[name] for name in _MONTHS if name.startswith(month.lower())), None)
    if number is None:
        return None
    date = f"{_full_year(year)}-{number}-{int(day):02}"
    if hour is None:
        return date if is_w3c(date) else None
    seconds = f":{second}" if second else ""
    return zones.add_zone(f"{date}T{int(hour):02}:{minute}{seconds}", zone or "", unknown)
