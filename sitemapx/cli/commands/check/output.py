"""The output of `sitemapx check`: standard output, or a file that appears when it is whole."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from shutil import copyfileobj
from stat import S_ISREG
from tempfile import SpooledTemporaryFile
from typing import IO

from sitemapx.check.findings import Finding
from sitemapx.cli.reports.writer import ReportOutput
from sitemapx.cli.terminal.colour import has_colour
from sitemapx.convert.sources.source import local_path
from sitemapx.errors import UsageError

__all__ = ["opened_report", "refuse_sources"]

#: So much is kept in memory of what waits for its end.
_IN_MEMORY = 8 << 20


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
def opened_report(path: str, fails: Callable[[Finding], bool]) -> Iterator[ReportOutput]:
    """
    Open standard output, or a file that appears when it is whole, for a report.

    Args:
        fails: Tells whether a finding fails the check.

    """
    if path == "-":
        with _opened_stdout() as stream:
            yield ReportOutput(
                lambda text: stream.write(text.encode("utf-8", "replace")),
                fails,
                has_colour=has_colour(sys.stdout),
            )
        return
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.disk.swap import swap_in

    draft = FileDraft(path, compress=False)
    try:
        yield ReportOutput(lambda text: draft.write(text.encode("utf-8", "replace")), fails)
        draft.close()
        swap_in([(draft.path, path)])
    finally:
        draft.discard()


@contextmanager
def _opened_stdout() -> Iterator[IO[bytes]]:
    """Open standard output; if it is a file, which may be a source, it is written at the end."""
    stdout = sys.stdout.buffer
    if not S_ISREG(os.fstat(1).st_mode):
        yield stdout
    else:
        with SpooledTemporaryFile(max_size=_IN_MEMORY) as kept:
            yield kept
            kept.seek(0)
            copyfileobj(kept, stdout)
    stdout.flush()
