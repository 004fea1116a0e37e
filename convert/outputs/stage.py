"""
Build an output in a staging directory, so that it can be checked before it is published.

The stage is a hidden directory next to the output. It begins as a copy of the published files, so
that unchanged files keep their lastmod in the index and safeguards can compare.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from shutil import copy2, rmtree
from tempfile import mkdtemp

from sitemapx.convert.disk.atomic import temporary
from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.disk.system import close_folder, lock, open_folder, try_lock
from sitemapx.convert.outputs.output import Written
from sitemapx.convert.outputs.stream import is_special
from sitemapx.convert.outputs.target import OutputLocation, Target
from sitemapx.convert.sources.source import is_storage
from sitemapx.errors import OutputError, UsageError

_PREFIX = ".sitemapx-stage-"


class Stage:
    """A staging directory (`folder`), and the `target` to which the output is written there."""

    def __init__(self, target: Target) -> None:
        path = target.path
        if path == "-" or is_storage(path) or is_special(path):
            raise UsageError(f"only a file on disk can be published, not {path}")
        self._location = OutputLocation(path, is_paged=target.format.is_paged)
        self._durable = target.durable
        if os.path.islink(path):
            path = self._location.names.path
        self._prefix, name = path.removesuffix(os.path.basename(path)), os.path.basename(path)
        self._home = os.path.dirname(path) or os.curdir
        with folder_lock(self._home):  # other runs must not remove the stage
            _remove_abandoned(self._home)
            # The lock of the outer directory marks this run as alive; writers lock the inner one.
            try:
                self._outer = mkdtemp(prefix=_PREFIX, dir=self._home)
            except OSError as error:
                raise OutputError.from_os_error(path, error) from error
            self._lock = open_folder(self._outer)
            lock(self._lock)
        self.folder = os.path.join(self._outer, "files")
        os.mkdir(self.folder)
        self.target = target._replace(path=os.path.join(self.folder, name))
        for present in self._location.present.state:
            if os.path.isfile(present):
                _copy(present, os.path.join(self.folder, os.path.basename(present)))

    def close(self) -> None:
        close_folder(self._lock, self._outer)
        rmtree(self._outer, ignore_errors=True)

    def replace_staged_paths(self, text: str) -> str:
        for folder in (self.folder, os.path.realpath(self.folder)):
            text = text.replace(f"{folder}{os.sep}", self._prefix).replace(folder, self._home)
        return text

    def staged_path(self, path: str) -> str:
        """Return the staged path for the path of the output; return other paths unchanged."""
        is_target = os.path.realpath(path) == self._location.names.path
        return self.target.path if is_target else path

    def publish(self, files: Sequence[Written]) -> list[Written]:
        """Move the staged files into place; return them with their published paths."""
        folder = self._location.folder
        targets = {file.path: os.path.join(folder, os.path.basename(file.path)) for file in files}
        new = [file.path for file in files if file.state == "new"]
        stale = [targets[file.path] for file in files if file.state == "removed"]
        with self._location.locked():
            self._location.require_own_files([targets[path] for path in new])
            swaps: list[tuple[str, str]] = []
            try:
                for path in new:
                    swaps.append((beside := temporary(targets[path]), targets[path]))
                    os.rename(path, beside)
                self._location.swap(swaps, stale, durable=self._durable)
            finally:
                for beside, _ in swaps:
                    with suppress(FileNotFoundError):
                        os.unlink(beside)
        return [
            file._replace(path=f"{self._prefix}{os.path.basename(file.path)}") for file in files
        ]


def _copy(path: str, target: str) -> None:
    """Hard-link a file, which is safe as files are never changed in place; copy if impossible."""
    try:
        os.link(path, target)
    except OSError:
        copy2(path, target)


def _remove_abandoned(folder: str) -> None:
    for name in os.listdir(folder):
        if not name.startswith(_PREFIX):
            continue
        path = os.path.join(folder, name)
        with suppress(OSError):
            descriptor = open_folder(path)
            try:
                is_abandoned = try_lock(descriptor)
            finally:
                close_folder(descriptor, path)
            if is_abandoned:
                rmtree(path, ignore_errors=True)
