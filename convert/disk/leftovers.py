"""Removes the temporary files of runs that were killed."""

import os
import re
import time
from contextlib import suppress
from functools import cache

from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.disk.replace import HOST
from sitemapx.convert.disk.swap import is_pending
from sitemapx.errors import OutputError

__all__ = ["remove_leftovers", "tidy_folder"]

#: What `temporary` makes: the machine, and the process.
_TEMPORARY = r"\..+\.([0-9a-f]{8})-([0-9]+)-[0-9]+\.tmp(?:\.old)?"
#: Seconds, for files of processes of which nothing is known, as on other machines.
_OLD = 3600


@cache
def tidy_folder(folder: str) -> None:
    """
    Remove the leftovers in a folder before the first file is written there.

    Those of a swap that is not finished are kept: `recover` needs them. A folder that cannot be
    opened is left for the writer to report.
    """
    with suppress(OutputError), folder_lock(folder):
        if not is_pending(folder):
            remove_leftovers(folder)


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files of runs that were killed; of other machines, if they are old."""
    with suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if (m := re.fullmatch(_TEMPORARY, name)) and not _is_in_use(path, m[1], int(m[2])):
                os.unlink(path)


def _is_in_use(path: str, host: str, process: int) -> bool:
    if host != HOST or os.name != "posix":  # elsewhere os.kill would end the process
        return os.stat(path).st_mtime > time.time() - _OLD
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True
