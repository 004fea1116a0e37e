"""Open the output for a target: a stream, a file or set on disk, or a set in cloud storage."""

import os

from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.disk.swap import is_pending, recover
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.output import Output
from sitemapx.convert.outputs.stream import StreamOutput, is_special
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.sources.source import is_storage
from sitemapx.errors import UsageError
from sitemapx.optionnames import option


def recover_output(target: Target) -> None:
    """Complete or undo the interrupted swap of an earlier run, before the output is read."""
    folder = os.path.dirname(os.path.realpath(target.path))
    if target.path != "-" and not is_storage(target.path) and is_pending(folder):
        with folder_lock(folder):
            recover(folder)


def open_output(
    target: Target, head: Head, reporter: Reporter, *, keep_back: bool = False
) -> Output:
    """Open an output; if `keep_back` is set, even a stream writes nothing before `finish`."""
    if target.path == "-" or is_special(target.path):
        if target.grouping or target.has_index:
            name = option("group_by" if target.grouping else "index")
            raise UsageError(f"{name} writes a set of files: pass {option('output')}")
        return StreamOutput(target, head, reporter, keep_back)
    if is_storage(target.path):
        from sitemapx.convert.outputs.storage import StorageOutput

        return StorageOutput(target, head, reporter)
    from sitemapx.convert.outputs.sets import SetOutput

    return SetOutput(target, head, reporter)
