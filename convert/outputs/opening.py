"""Opens the output for a target: a stream, a file or set on disk, or a set in cloud storage."""

import os

from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.disk.swap import is_pending, recover
from sitemapx.convert.http.fetcher import Fetcher
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
    target: Target,
    head: Head,
    reporter: Reporter,
    fetcher: Fetcher | None = None,
    *,
    keep_back: bool = False,
) -> Output:
    """
    Open an output.

    Args:
        target: Path, format and options of the output.
        head: Metadata of a feed.
        reporter: Reports problems of the output.
        fetcher: Fetches the previous build; None for a fetcher with default settings.
        keep_back: Whether output to a stream is buffered until `finish`.

    """
    fetcher = fetcher or Fetcher()
    if target.path == "-" or is_special(target.path):
        needs = (
            ("group_by", target.grouping),
            ("index", target.has_index),
            ("previous", target.previous),
        )
        if name := next((name for name, value in needs if value), ""):
            raise UsageError(f"{option(name)} is for a set of files: pass {option('output')}")
        return StreamOutput(target, head, reporter, keep_back)
    if is_storage(target.path):
        from sitemapx.convert.outputs.storage import StorageOutput

        return StorageOutput(target, head, reporter, fetcher)
    from sitemapx.convert.outputs.sets import SetOutput

    return SetOutput(target, head, reporter, fetcher)
