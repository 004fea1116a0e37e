"""Times of files and of this run, as W3C Datetimes in UTC."""

import os
import re
import time
from datetime import timedelta

from sitemapx.errors import UsageError

__all__ = ["age", "now", "of_file", "of_timestamp"]

_age = re.compile(r"([0-9]{1,6})([hdw])").fullmatch
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def now() -> str:
    """
    Return the time, or the one that SOURCE_DATE_EPOCH says, for builds that can be repeated.

    Raises:
        UsageError: If that is no time.

    """
    value = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return of_timestamp(int(value or time.time()))
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            f"invalid SOURCE_DATE_EPOCH {value!r}: expected a number of seconds"
        ) from error


def of_file(path: str) -> str:
    """Return when a file was last written."""
    return of_timestamp(int(os.stat(path).st_mtime))


def of_timestamp(seconds: float) -> str:
    """Return a time in seconds since 1970 as a W3C Datetime."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def age(text: str) -> timedelta | None:
    """
    Read an age such as 36h, 7d or 2w; None if it is none.

    >>> age("36h"), age("soon")
    (datetime.timedelta(days=1, seconds=43200), None)

    """
    m = _age(text)
    return timedelta(**{_UNITS[m[2]]: int(m[1])}) if m else None
