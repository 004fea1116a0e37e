"""Times of files and of this run as W3C Datetimes in UTC, and tests against a date or an age."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sitemapx.convert.values import w3cdate
from sitemapx.errors import UsageError
from sitemapx.patterns import lazy_pattern

_age = lazy_pattern(r"([0-9]{1,6})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def now() -> str:
    """Return SOURCE_DATE_EPOCH (reproducible builds), else the time, as a W3C Datetime in UTC."""
    value = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return format_timestamp(int(value or time.time()))
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            f"invalid SOURCE_DATE_EPOCH {value!r}: expected a number of seconds"
        ) from error


def file_time(path: str) -> str:
    return format_timestamp(int(os.stat(path).st_mtime))


def format_timestamp(seconds: float) -> str:
    """Format seconds since 1970 as a W3C Datetime in UTC, without fractions of a second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def age(text: str) -> timedelta | None:
    """
    Parse an age such as 36h, 7d or 2w; None if it is invalid.

    >>> age("36h"), age("soon")
    (datetime.timedelta(days=1, seconds=43200), None)
    """
    m = _age.fullmatch(text)
    return timedelta(**{_UNITS[m[2]]: int(m[1])}) if m else None


def since_test(when: str) -> Callable[[str], bool]:
    """
    Return a function that returns whether a W3C Datetime is not before `when`.

    `when` is a W3C Datetime, or an age such as 7d; anything else raises `UsageError`. A date
    without a time is compared with the day, month or year of `when` in UTC.
    """
    first = _moment_of(when)
    text = first.isoformat()

    def is_since(date: str) -> bool:
        return date >= text[: len(date)] if len(date) <= 10 else w3cdate.moment(date) >= first

    return is_since


def _moment_of(when: str) -> datetime:
    try:
        if period := age(when):
            return w3cdate.moment(now()) - period
        if w3cdate.is_w3c(when):
            return w3cdate.moment(when).astimezone(UTC)
    except OverflowError:  # before the year 1
        pass
    raise UsageError(f"{when!r} is not a date (such as 2024-05-08) or an age (such as 7d)")
