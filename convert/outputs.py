"""Outputs: standard output, a device, a file or a set of files, on disk or in storage."""

import os
from typing import Literal, NamedTuple, Protocol

from sitemapx.convert.document import Batch, Head
from sitemapx.convert.drafts import Draft
from sitemapx.convert.filling import Filling
from sitemapx.convert.locking import alone_in
from sitemapx.convert.problems import Context
from sitemapx.convert.sinks import StreamDraft, is_special
from sitemapx.convert.sources import is_storage
from sitemapx.convert.swapping import is_pending, recover
from sitemapx.convert.targets import Target
from sitemapx.errors import UsageError

__all__ = ["Output", "State", "Written", "open_output", "recover_output"]

State = Literal["new", "unchanged", "removed"]


class Written(NamedTuple):
    """
    A file that was written, stood there with the same bytes already, or was removed.

    Removed is what an earlier run wrote for this set, and nothing lists any more.
    """

    path: str
    entries: int
    is_index: bool = False
    state: State = "new"


class Output(Protocol):
    """Takes entries; what may have to be taken back is not to be seen until `finish`."""

    @property
    def entries(self) -> int:
        """How many entries it holds by now."""
        ...

    @property
    def can_revise(self) -> bool:
        """Whether the head may still be another at the end."""
        ...

    @property
    def replaces(self) -> bool:
        """Whether there is something already in its place."""
        ...

    def add(self, batch: Batch) -> None:
        """Take some entries."""
        ...

    def entries_before(self, tolerated: float) -> int:
        """Count the entries of what it replaces; roughly, if they are not more than tolerated."""
        ...

    def finish(self, head: Head) -> list[Written]:
        """Let the output appear, with this head if it can be, and tell what was written."""
        ...

    def abort(self) -> None:
        """Leave everything as it was before."""
        ...


def recover_output(target: Target) -> None:
    """
    Finish what a run that was killed began to put in place; before anything of it is read.

    Raises:
        OutputError: If it can be neither finished nor taken back.

    """
    folder = os.path.dirname(os.path.realpath(target.path))
    if target.path != "-" and not is_storage(target.path) and is_pending(folder):
        with alone_in(folder):
            recover(folder)


def open_output(target: Target, head: Head, context: Context, *, keep_back: bool = False) -> Output:
    """
    Begin to write.

    Args:
        keep_back: Whether even a stream must show nothing before `finish`.

    Raises:
        OutputError: If the target cannot be written to.

    """
    if target.path == "-" or is_special(target.path):
        if target.grouping:
            raise UsageError("--group-by makes a set of files; name the output with -o")
        return StreamOutput(target, head, context, keep_back)
    if is_storage(target.path):
        from sitemapx.convert.storage import StorageOutput

        return StorageOutput(target, head, context)
    from sitemapx.convert.sets import SetOutput

    return SetOutput(target, head, context)


class StreamOutput:
    """Standard output, a device or a pipe: one file, and no way back."""

    can_revise = replaces = False

    def __init__(self, target: Target, head: Head, context: Context, keep_back: bool) -> None:
        self._path = target.path
        writer = target.format.writer(context)

        def new_draft(name: str) -> Draft:
            if name != "1":
                raise UsageError(
                    "this is more than one file may hold, and standard output takes only one; "
                    "name the output with -o and its address with --base-url"
                )
            keep = keep_back or target.limits is not None
            return StreamDraft(target.path, compress=target.compress, keep=keep)

        self._filling = Filling(writer, head, target.limits, context, new_draft)
        self.add = self._filling.add

    @property
    def entries(self) -> int:
        """How many entries it holds by now."""
        return self._filling.entries

    def entries_before(self, tolerated: float) -> int:
        """Count none: what is written replaces nothing."""
        return 0

    def finish(self, head: Head) -> list[Written]:
        """Write out what was kept back."""
        self._filling.finish()
        return [Written(self._path, self._filling.file.entries)]

    def abort(self) -> None:
        """Write nothing of what was kept back."""
        self._filling.discard()
