"""
The stage of an output: it is built beside its place, to be looked at before it goes there.

The stage is a hidden folder that begins as a copy of what is published, so that a file that does
not change keeps its date in the index, and safeguards see what would be lost.
"""

import fcntl
import os
from collections.abc import Sequence
from contextlib import suppress
from shutil import copy2, rmtree
from tempfile import mkdtemp

from sitemapx.convert.disk.atomic import temporary
from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.outputs.output import Written
from sitemapx.convert.outputs.stream import is_special
from sitemapx.convert.outputs.target import Place, Target
from sitemapx.convert.sources.source import is_storage
from sitemapx.errors import OutputError, UsageError

_PREFIX = ".sitemapx-stage-"


class Stage:
    """
    A folder in which a file or a set is built.

    Attributes:
        target: What to write there.
        folder: The folder.

    """

    def __init__(self, target: Target) -> None:
        """
        Copy what is published into a new folder beside it.

        Raises:
            OutputError: If nothing can be written there.
            UsageError: If the output is not a file on disk.

        """
        path = target.path
        if path == "-" or is_storage(path) or is_special(path):
            raise UsageError(f"only a file on disk can be published, not {path}")
        self._place = Place(path, is_paged=target.format.is_paged)
        self._durable = target.durable
        if os.path.islink(path):
            path = self._place.names.path
        self._prefix, name = path.removesuffix(os.path.basename(path)), os.path.basename(path)
        self._home = os.path.dirname(path) or os.curdir
        with folder_lock(self._home):  # or another run might take a stage that begins for abandoned
            _remove_abandoned(self._home)
            # The lock of the outer folder tells that this run is alive; writers lock the inner one.
            try:
                self._outer = mkdtemp(prefix=_PREFIX, dir=self._home)
            except OSError as error:
                raise OutputError.from_os_error(path, error) from error
            self._lock = os.open(self._outer, os.O_RDONLY)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.folder = os.path.join(self._outer, "files")
        os.mkdir(self.folder)
        self.target = target._replace(path=os.path.join(self.folder, name))
        for present in self._place.present.state:
            if os.path.isfile(present):
                _copy(present, os.path.join(self.folder, os.path.basename(present)))

    def close(self) -> None:
        """Remove the folder."""
        rmtree(self._outer, ignore_errors=True)
        os.close(self._lock)

    def named_home(self, text: str) -> str:
        """Return a text in which the staged files, and their folder, are called as they will be."""
        for folder in (self.folder, os.path.realpath(self.folder)):
            text = text.replace(f"{folder}{os.sep}", self._prefix).replace(folder, self._home)
        return text

    def staged(self, path: str) -> str:
        """Return where the file that will have a path is now; others stay as they are."""
        is_target = os.path.realpath(path) == self._place.names.path
        return self.target.path if is_target else path

    def publish(self, files: Sequence[Written]) -> list[Written]:
        """
        Put the files in place, all or none.

        Args:
            files: What was written to the stage.

        Returns:
            The same, by their paths in place.

        Raises:
            OutputError: If that cannot be done, or another run has changed them meanwhile.

        """
        targets = {file.path: self._target_of(file.path) for file in files}
        new = [file.path for file in files if file.state == "new"]
        stale = [targets[file.path] for file in files if file.state == "removed"]
        with self._place.turn():
            self._place.refuse_foreign([targets[path] for path in new])
            swaps: list[tuple[str, str]] = []
            try:
                for path in new:
                    swaps.append((beside := temporary(targets[path]), targets[path]))
                    os.rename(path, beside)
                self._place.put(swaps, stale, durable=self._durable)
            finally:
                for beside, _ in swaps:
                    with suppress(FileNotFoundError):
                        os.unlink(beside)
        return [
            file._replace(path=f"{self._prefix}{os.path.basename(file.path)}") for file in files
        ]

    def _target_of(self, path: str) -> str:
        return os.path.join(self._place.folder, os.path.basename(path))


def _copy(path: str, target: str) -> None:
    """Give a file a second name, since files are never changed in place; or else copy it."""
    try:
        os.link(path, target)
    except OSError:
        copy2(path, target)


def _remove_abandoned(folder: str) -> None:
    """Remove the stages of runs that were killed: nobody locks them."""
    for name in os.listdir(folder):
        if not name.startswith(_PREFIX):
            continue
        path = os.path.join(folder, name)
        with suppress(OSError):
            lock = os.open(path, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
