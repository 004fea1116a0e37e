"""
Plan of a swap of several files, kept on disk until it is executed or undone.

Every step is idempotent. A new file under its temporary name, with the recorded size and time, is
moved into place. If the temporary file is missing, the new file is already in place, or the plan
has to be undone.
"""

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import ENOENT
from shutil import copy2
from stat import S_ISREG, S_ISVTX
from typing import NamedTuple, Self

from sitemapx.convert.disk.atomic import error_message, replace_file, temporary
from sitemapx.convert.disk.system import sync
from sitemapx.errors import OutputError

#: Size of a file, and modification time in nanoseconds.
_Stamp = tuple[int, int]


class _Replacement(NamedTuple):
    """Names of the new file, its target, and the target's backup, if any; stamp of the new file."""

    new: str
    target: str
    backup: str | None
    stamp: _Stamp

    @classmethod
    def prepare(cls, new: str, target: str) -> Self:
        status = os.stat(new)
        backup = _back_up(target)
        return cls(
            os.path.basename(new),
            os.path.basename(target),
            backup and os.path.basename(backup),
            (status.st_size, status.st_mtime_ns),
        )


class Plan:
    def __init__(self, path: str, steps: Sequence[_Replacement], stale: Sequence[str]) -> None:
        self.path = path
        self._folder = os.path.dirname(path)
        self._steps = steps
        self._stale = stale

    @classmethod
    def make(cls, path: str, swaps: Sequence[tuple[str, str]], stale: Sequence[str]) -> Self:
        """
        Back up the existing files and write the plan; if that fails, nothing has changed.

        `swaps` are pairs of the path of a new file and its target.
        """
        steps: list[_Replacement] = []
        plan = cls(path, steps, [os.path.basename(name) for name in stale])
        try:
            for new, target in swaps:
                steps.append(_Replacement.prepare(new, target))
            plan._write()
        except BaseException:
            plan.tidy()
            raise
        return plan

    @classmethod
    def read(cls, path: str) -> Self | None:
        """
        Read a plan; if it is damaged, as after a power failure, delete it and return None.

        Raises `OutputError` if another user or program may have written the plan.
        """
        _reject_foreign_plan(path)
        with open(path, "rb") as file:
            data = file.read()
        try:
            swaps, stale = json.loads(data)
            steps = [
                _Replacement(new, target, backup, (size, time))
                for new, target, backup, (size, time) in swaps
            ]
            names = [name for step in steps for name in step[:3] if name is not None]
            if not all(map(_is_plain, [*names, *stale])):
                raise _invalid_plan(path)
        except (json.JSONDecodeError, UnicodeDecodeError):
            os.unlink(path)
            return None
        except (TypeError, ValueError) as error:
            raise _invalid_plan(path) from error
        return cls(path, steps, stale)

    def _write(self) -> None:
        draft = temporary(self.path)
        try:
            with open(draft, "w") as file:
                json.dump([self._steps, self._stale], file)
            sync(draft)
            os.replace(draft, self.path)
        except BaseException:
            with suppress(OSError):
                os.unlink(draft)
            raise
        self._sync()

    def _sync(self) -> None:
        with suppress(OSError):  # not supported by all file systems
            sync(self._folder)

    def _in_folder(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def execute(self) -> list[str]:
        """
        Move new files into place, remove stale files, and return the names of those that remain.

        Raises `OSError` if a new file is missing or cannot be moved.
        """
        for step in self._steps:
            new, target = self._in_folder(step.new), self._in_folder(step.target)
            if _stamp(new) == step.stamp:
                replace_file(new, target)
            elif _stamp(target) != step.stamp:
                raise FileNotFoundError(ENOENT, os.strerror(ENOENT), new)
        self._sync()
        unremoved = []
        for name in self._stale:
            try:
                os.unlink(self._in_folder(name))
            except FileNotFoundError:
                pass
            except OSError:
                unremoved.append(name)
        return unremoved

    def undo(self, reason: str) -> None:
        """Restore the old files; if that fails, raise `OutputError`, which includes `reason`."""
        failed = []
        for step in reversed(self._steps):
            target = self._in_folder(step.target)
            try:
                if step.backup:
                    _restore(self._in_folder(step.backup), target)
                elif _stamp(target) == step.stamp:
                    os.unlink(target)
            except OSError as error:
                failed.append(_restore_failure(step, self._folder, error))
        self._sync()
        if failed:
            advice = "fix the cause and run again to restore the files"
            raise OutputError(
                f"{reason}; some files could not be restored: {'; '.join(failed)}; {advice}"
            )

    def remove(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self.path)
        self.tidy()

    def tidy(self) -> None:
        """Remove the backups, unless undoing the plan needs them."""
        if not os.path.lexists(self.path):
            for step in self._steps:
                if step.backup:
                    with suppress(OSError):  # the next run removes it
                        os.unlink(self._in_folder(step.backup))


def _reject_foreign_plan(path: str) -> None:
    """Raise `OutputError` unless a plan is a file and, in a sticky directory, of this user."""
    status = os.lstat(path)
    if not S_ISREG(status.st_mode):
        raise _invalid_plan(path)
    if sys.platform == "win32":  # Windows has no sticky directories
        return
    if os.stat(os.path.dirname(path)).st_mode & S_ISVTX and status.st_uid != os.geteuid():
        raise _invalid_plan(path)


def _is_plain(name: str) -> bool:
    return name not in ("", os.curdir, os.pardir) and os.path.basename(name) == name


def _invalid_plan(path: str) -> OutputError:
    return OutputError(
        f"{path}: not a replacement plan of sitemapx and this user; inspect the file and remove it"
    )


def _stamp(path: str) -> _Stamp | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _back_up(target: str) -> str | None:
    """Back up a file, if possible by a hard link; return the backup's path, or None if missing."""
    if not os.path.lexists(target):
        return None
    backup = f"{temporary(target)}.old"
    try:
        if os.stat(os.path.dirname(target)).st_mode & S_ISVTX:
            raise PermissionError  # a hard link to another user's file could not be removed
        os.link(target, backup, follow_symlinks=False)
    except (OSError, NotImplementedError):  # no hard links, or a directory
        copy2(target, backup, follow_symlinks=False)
    return backup


def _restore(backup: str, target: str) -> None:
    before = _stamp(backup)
    if before and before != _stamp(target):
        os.replace(backup, target)


def _restore_failure(step: _Replacement, folder: str, error: OSError) -> str:
    if step.backup is None:
        return f"{error_message(error)}; the file should have been removed"
    target, backup = (os.path.join(folder, name) for name in (step.target, step.backup))
    return f"{target}: {error.strerror}; its contents are kept in {backup}"
