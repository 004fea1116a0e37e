"""The output of `sitemapx check`: standard output, or a file that appears when it is whole."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from stat import S_ISREG

from sitemapx.cli.reports.writer import ReportOutput
from sitemapx.cli.terminal.colour import has_colour
from sitemapx.convert.sources.source import local_path
from sitemapx.errors import UsageError

__all__ = ["opened_report", "refuse_sources"]


def refuse_sources(output: str, sources: Sequence[str]) -> None:
    """
    Keep a report from taking the place of what it is about, or from being appended to that.

    Raises:
        UsageError: If the output is one of the sources, or of the sitemaps that they list.

    """
    try:
        written = os.fstat(1) if output == "-" else os.stat(output)
    except OSError:  # there is none yet
        return
    for source in filter(os.path.isfile, filter(None, map(local_path, sources))):
        if S_ISREG(written.st_mode) and os.path.samestat(written, os.stat(source)):
            raise UsageError(f"{source}: the report cannot be written to the file it is about")


@contextmanager
def opened_report(path: str) -> Iterator[ReportOutput]:
    """Return what writes text to standard output, or to a file that appears when it is whole."""
    if path == "-":
        stream = sys.stdout.buffer
        yield ReportOutput(
            lambda text: stream.write(text.encode("utf-8", "replace")),
            has_colour=has_colour(sys.stdout),
        )
        stream.flush()
        return
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.disk.swap import swap_in

    draft = FileDraft(path, compress=False)
    try:
        yield ReportOutput(lambda text: draft.write(text.encode("utf-8", "replace")))
        draft.close()
        swap_in([(draft.path, path)])
    finally:
        draft.discard()
