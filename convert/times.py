"""Times of files and of this run, as W3C Datetimes in UTC."""

import os
import time

__all__ = ["now", "of_file"]


def now() -> str:
    """Tell the time, or the one that SOURCE_DATE_EPOCH says, for builds that can be repeated."""
    return _utc(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()))


def of_file(path: str) -> str:
    """Tell when a file was last written."""
    return _utc(int(os.stat(path).st_mtime))


def _utc(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
