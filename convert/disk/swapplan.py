"""
The plan of a swap of several files: on disk as long as it is not carried out, or taken back.

Every step may be done again and again. A new file that is still there under its temporary name,
with the size and time that the plan says, is put into its place; if it is not there, it is in its
place already, or the plan cannot be carried out any more and is taken back.
"""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from errno import ENOENT
from shutil import copy2
from stat import S_ISREG, S_ISVTX
from typing import NamedTuple, Self

from sitemapx.convert.disk.atomic import error_message, replace_file, sync, temporary
from sitemapx.errors import OutputError

#: The size of a file, and its time in nanoseconds.
_Stamp = tuple[int, int]


class _Replacement(NamedTuple):
    """
    One file that is replaced, or added.

    Attributes:
        new: Its temporary name.
        target: The name that it gets.
        kept: The second name of what it replaces; None if there is nothing.
        stamp: Tells the new file from all others.

    """

    new: str
    target: str
    kept: str | None
    stamp: _Stamp

    @classmethod
    def of(cls, new: str, target: str) -> Self:
        """Make one, and keep what the target is now."""
        found = os.stat(new)
        kept = _keep(target)
        return cls(
            os.path.basename(new),
            os.path.basename(target),
            kept and os.path.basename(kept),
            (found.st_size, found.st_mtime_ns),
        )


class Plan:
    """
    The plan of a swap in a folder.

    Attributes:
        path: Where this is written down.

    """

    def __init__(self, path: str, steps: Sequence[_Replacement], stale: Sequence[str]) -> None:
        self.path = path
        self._folder = os.path.dirname(path)
        self._steps = steps
        self._stale = stale

    @classmethod
    def make(cls, path: str, swaps: Sequence[tuple[str, str]], stale: Sequence[str]) -> Self:
        """
        Keep what is there under second names, and write down the plan.

        Raises:
            OSError: If one of it cannot be done; then nothing has changed.

        """
        steps: list[_Replacement] = []
        plan = cls(path, steps, [os.path.basename(name) for name in stale])
        try:
            for new, target in swaps:
                steps.append(_Replacement.of(new, target))
            plan._write()
        except BaseException:
            plan.tidy()
            raise
        return plan

    @classmethod
    def read(cls, path: str) -> Self | None:
        """
        Read a plan; None if it was lost before anything was begun, as in a power cut.

        Raises:
            OutputError: If it is not one that may be followed.

        """
        _refuse_foreign(path)
        with open(path, "rb") as file:
            data = file.read()
        try:
            swaps, stale = json.loads(data)
            steps = [
                _Replacement(new, target, kept, (size, time))
                for new, target, kept, (size, time) in swaps
            ]
            names = [name for step in steps for name in step[:3] if name is not None]
            if not all(map(_is_plain, [*names, *stale])):
                raise _unfit(path)
        except (json.JSONDecodeError, UnicodeDecodeError):
            os.unlink(path)
            return None
        except (TypeError, ValueError) as error:
            raise _unfit(path) from error
        return cls(path, steps, stale)

    def _write(self) -> None:
        """Let it appear whole, and outlast a power cut."""
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
        with suppress(OSError):  # not every file system can do that with a folder
            sync(self._folder)

    def _in_folder(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def carry_out(self) -> list[str]:
        """
        Put all new files into their places, in order, then remove what is stale.

        Returns:
            What is stale and cannot be removed.

        Raises:
            OSError: If a file cannot be put into its place.

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

    def take_back(self, reason: str) -> None:
        """
        Put everything back that was there before, the last first.

        Args:
            reason: Why the plan cannot be carried out.

        Raises:
            OutputError: If something cannot be put back; all the rest is.

        """
        failed = []
        for step in reversed(self._steps):
            target = self._in_folder(step.target)
            try:
                if step.kept:
                    _put_back(self._in_folder(step.kept), target)
                elif _stamp(target) == step.stamp:
                    os.unlink(target)
            except OSError as error:
                failed.append(_unsaid(step, self._folder, error))
        self._sync()
        if failed:
            advice = "fix the cause and run again to restore the files"
            raise OutputError(
                f"{reason}; some files could not be restored: {'; '.join(failed)}; {advice}"
            )

    def end(self) -> None:
        """
        Remove the plan, since nothing of it is left to do.

        Raises:
            OSError: If it cannot be removed.

        """
        with suppress(FileNotFoundError):
            os.unlink(self.path)
        self.tidy()

    def tidy(self) -> None:
        """Remove the second names, unless somebody needs them to take back the plan."""
        if not os.path.lexists(self.path):
            for step in self._steps:
                if step.kept:
                    with suppress(OSError):  # the next run removes it
                        os.unlink(self._in_folder(step.kept))


def _refuse_foreign(path: str) -> None:
    """Refuse the plan of another user where all can write, but not remove what is another's."""
    found = os.lstat(path)
    is_sticky = os.stat(os.path.dirname(path)).st_mode & S_ISVTX
    if not S_ISREG(found.st_mode) or (is_sticky and found.st_uid != os.geteuid()):
        raise _unfit(path)


def _is_plain(name: str) -> bool:
    """Return whether this names a file of the folder, and leads nowhere else."""
    return name not in ("", os.curdir, os.pardir) and os.sep not in name


def _unfit(path: str) -> OutputError:
    return OutputError(
        f"{path}: not a replacement plan of sitemapx and this user; inspect the file and remove it"
    )


def _stamp(path: str) -> _Stamp | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _keep(target: str) -> str | None:
    """Keep the present file under a second name."""
    if not os.path.lexists(target):
        return None
    kept = f"{temporary(target)}.old"
    try:
        if os.stat(os.path.dirname(target)).st_mode & S_ISVTX:
            raise PermissionError  # a link to what is another user's could never be removed
        os.link(target, kept, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without links, or a folder in the way
        copy2(target, kept, follow_symlinks=False)
    return kept


def _put_back(kept: str, target: str) -> None:
    before = _stamp(kept)
    if before and before != _stamp(target):
        os.replace(kept, target)


def _unsaid(step: _Replacement, folder: str, error: OSError) -> str:
    """Return what is not as before, and where its contents are."""
    if step.kept is None:
        return f"{error_message(error)}; the file should have been removed"
    target, kept = (os.path.join(folder, name) for name in (step.target, step.kept))
    return f"{target}: {error.strerror}; its contents are kept in {kept}"
