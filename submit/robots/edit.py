"""
Edits robots.txt on disk, atomically, without losing edits of other sitemapx processes.

The directory is locked during an edit rather than the file, which is replaced.
"""

import os
import sys
from collections.abc import Callable

from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.disk.lock import folder_lock, tidy_folder
from sitemapx.convert.disk.swap import swap_in
from sitemapx.convert.values import urls
from sitemapx.errors import InputError, OutputError, UsageError
from sitemapx.submit.robots.file import RobotsFile

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from sitemapx.convert.http.fetcher import Fetcher


class Edited:
    """An edit: the contents of a file before and after, and whether the file is new."""

    def __init__(self, before: bytes, after: bytes, *, is_new: bool = False) -> None:
        self.before, self.after = before, after
        self.has_changed = before != after
        self._is_new = is_new

    def summary(self, *, is_dry: bool = False) -> str:
        """Return the effect as text for users, such as "created" or "would change"."""
        if not self.has_changed:
            return "unchanged"
        if self._is_new:
            return "would be created" if is_dry else "created"
        return "would change" if is_dry else "changed"


def _require_path(path: str) -> None:
    if not path:
        raise UsageError("FILE is an empty string: pass the path of a robots.txt")


def load_robots_file(
    path: str, *, name: str = "", may_be_missing: bool = False, fetcher: "Fetcher | None" = None
) -> RobotsFile:
    """
    Read a robots.txt.

    Args:
        path: A path, an http(s) URL, or `-` for standard input.
        name: Name for messages; the path by default.
        may_be_missing: Whether a missing file on disk counts as an empty one.

    Raises:
        InputError: If the file cannot be read or is not a robots.txt.
        UsageError: If the path is empty.

    """
    _require_path(path)
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        elif urls.is_absolute(path):
            from sitemapx.convert.http.fetcher import Fetcher

            data = (fetcher or Fetcher()).robots_text(path)
        else:
            with open(path, "rb") as file:
                data = file.read()
    except FileNotFoundError as error:
        if may_be_missing:
            return RobotsFile()
        if os.path.islink(path):
            raise InputError(f"broken symbolic link to {os.readlink(path)}", path) from error
        from sitemapx.suggestions import suggest_file

        raise InputError(f"No such file{suggest_file(name or path)}", name or path) from error
    except OSError as error:
        raise InputError(error.strerror or str(error), name or path) from error
    try:
        return RobotsFile(data)
    except InputError as error:
        from sitemapx.convert.sources.source import source_name

        error.source = name or source_name(path)
        raise


def edit_robots_file(
    path: str,
    change: Callable[[RobotsFile], object],
    *,
    backup: bool = False,
    write: bool = True,
    may_be_missing: bool = True,
) -> Edited:
    """
    Change a robots.txt; a symbolic link is followed.

    Args:
        change: Function that edits the file; called while the directory is locked.
        backup: Whether to keep the previous file as `PATH.bak`.
        write: Whether to write the file, or only return the edit.
        may_be_missing: Whether to create a missing file.

    Raises:
        InputError: If the file cannot be read or is not a robots.txt.
        OutputError: If the file cannot be written.
        UsageError: If the path is empty or a URL.

    """
    _require_path(path)
    if urls.is_absolute(path):
        raise UsageError(f"{urls.without_user(path)} is a URL; only a file can be edited")
    name, path = path, os.path.realpath(path)
    if os.path.isdir(path):
        raise OutputError.from_os_error(name, IsADirectoryError())
    folder = os.path.dirname(path)
    if write:
        tidy_folder(folder)
    with folder_lock(folder, name):
        is_new = not os.path.exists(path)
        robots = load_robots_file(path, name=name, may_be_missing=may_be_missing)
        before = bytes(robots)
        change(robots)
        after = bytes(robots)
        if write and before != after:
            if backup and before:
                _put(f"{path}.bak", before, f"{name}.bak")
            _put(path, after, name)
    return Edited(before, after, is_new=is_new)


def _put(path: str, data: bytes, name: str) -> None:
    draft = FileDraft(path, name=name)
    try:
        draft.write(data)
        draft.close()
        swap_in([(draft.path, path)], durable=True)
    finally:
        draft.discard()
