"""Times of files and of this run, as W3C Datetimes in UTC."""

import os
import time

from sitemapx.errors import UsageError

__all__ = ["now", "of_file"]


def now() -> str:
    """
    Tell the time, or the one that SOURCE_DATE_EPOCH says, for builds that can be repeated.

    Raises:
        UsageError: If that is no time.

    """
    said = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return _utc(int(said or time.time()))
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(f"SOURCE_DATE_EPOCH is no number of seconds: {said!r}") from error


def of_file(path: str) -> str:
    """Tell when a file was last written."""
    return _utc(int(os.stat(path).st_mtime))


def _utc(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
