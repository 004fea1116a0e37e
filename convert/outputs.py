"""Outputs: standard output, a device, a file or a set of files, on disk or in storage."""

from sitemapx.convert.document import Head
from sitemapx.convert.drafts import Draft
from sitemapx.convert.filling import Filling
from sitemapx.convert.problems import Context
from sitemapx.convert.sets import Output, SetOutput, Written
from sitemapx.convert.sinks import StreamDraft, is_special
from sitemapx.convert.sources import is_storage
from sitemapx.convert.targets import Target
from sitemapx.errors import UsageError

__all__ = ["Output", "Written", "open_output"]


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

    def finish(self, head: Head) -> list[Written]:
        """Write out what was kept back."""
        self._filling.finish()
        return [Written(self._path, self._filling.file.entries)]

    def abort(self) -> None:
        """Write nothing of what was kept back."""
        self._filling.discard()
