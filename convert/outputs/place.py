"""The place of a file or a set on disk: what stands there, and putting something else there."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from sitemapx.convert.disk.leftovers import remove_leftovers
from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.disk.swap import Swap, recover, swap_in
from sitemapx.convert.outputs.published import PublishedSet, set_names
from sitemapx.errors import OutputError

__all__ = ["Place"]

#: So many files are on the disk when they take their places, whatever is asked for: one file, or
#: one of a set and its index. More take a few milliseconds each.
_FEW = 2


class Place:
    """
    The place of a file or a set.

    Attributes:
        names: The names of its files; what a link leads to is replaced, not the link.
        folder: The folder that holds them.
        present: What stands there.

    """

    def __init__(self, path: str, *, is_paged: bool) -> None:
        """
        Look at what stands there, after a run that was killed has been finished or taken back.

        Args:
            is_paged: Whether what is put there is pages that link to each other.

        Raises:
            OutputError: If nothing can be written there.

        """
        self._path = path
        self.names = set_names(os.path.realpath(path), is_paged=is_paged)
        self.folder = os.path.dirname(self.names.path)
        folder = os.path.dirname(path) or "."
        if os.path.isdir(self.names.path):
            raise OutputError.of(path, IsADirectoryError())
        if not os.path.isdir(folder):
            raise OutputError.of(path, FileNotFoundError())
        with folder_lock(self.folder):
            recover(self.folder)
            remove_leftovers(self.folder)
            self.present = PublishedSet(self.names)

    def shown(self, path: str) -> str:
        """Return the path of one of its files as the caller, who named the first, writes it."""
        if os.path.islink(self._path):
            return path
        return os.path.join(os.path.dirname(self._path), os.path.basename(path))

    @contextmanager
    def turn(self) -> Iterator[None]:
        """
        Wait for the turn to change it.

        Raises:
            OutputError: If another run has changed it meanwhile.

        """
        with folder_lock(self.folder):
            recover(self.folder)
            if PublishedSet(self.names).state != self.present.state:
                message = "was changed during this run, possibly by another run"
                raise OutputError(f"{self._path} {message}; kept unchanged")
            yield

    def refuse_foreign(self, paths: Collection[str]) -> None:
        """
        Refuse to put a file where the caller did not say, over one of somebody else's.

        Raises:
            OutputError: If one is in the way.

        """
        for path in paths:
            if path not in self.present.state and os.path.lexists(path):
                shown = os.path.join(os.path.dirname(self._path), os.path.basename(path))
                raise OutputError(
                    f"{shown} already exists and is not part of the set; move this "
                    "file or choose another output"
                )

    def put(self, swaps: Sequence[Swap], stale: Sequence[str], *, durable: bool) -> None:
        """
        Put finished files that lie beside it in place, all or none, in the turn of the caller.

        Args:
            stale: What to remove then.

        """
        swap_in(swaps, stale, durable=durable or len(swaps) <= _FEW)
