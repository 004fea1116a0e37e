"""Outputs of commands: standard output, and files that are written atomically."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from stat import S_ISREG
from typing import TYPE_CHECKING

from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.outputs.stream import StreamDraft


def infer_report_format(output: str | None) -> str:
    """Infer the format of a report from the name of its file: html, json or text."""
    suffix = (output or "").lower().rpartition(".")[2]
    return {"html": "html", "htm": "html", "json": "json", "jsonl": "json"}.get(suffix, "text")


def reject_source_overwrite(paths: Iterable[str], sources: Iterable[str]) -> None:
    """Raise UsageError if a file (`-` for standard output) is a source; it would be lost."""
    from sitemapx.convert.sources.source import local_path

    for path in paths:
        try:
            written = os.fstat(1) if path == "-" else os.stat(path)
        except OSError:  # the file does not exist yet
            continue
        for source in filter(os.path.isfile, filter(None, map(local_path, sources))):
            if S_ISREG(written.st_mode) and os.path.samestat(written, os.stat(source)):
                raise UsageError(
                    f"{source}: the output would overwrite this source; pass another file"
                )


@contextmanager
def open_output(path: str) -> Iterator[Callable[[str], object]]:
    """Yield a function that writes text; the output is published if the context ends normally."""
    draft = create_draft(path)
    try:
        yield text_writer(draft.write)
        publish_draft(draft, path)
    finally:
        draft.discard()


def create_draft(path: str) -> "FileDraft | StreamDraft":
    """Create a draft of a file; a draft of standard output or a special file is buffered."""
    from sitemapx.convert.outputs.stream import StreamDraft, is_special

    if path == "-" or is_special(path):
        return StreamDraft(path, keep=True)
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.disk.lock import tidy_folder

    tidy_folder(os.path.dirname(path) or os.curdir)
    return FileDraft(path)


def publish_draft(draft: "FileDraft | StreamDraft", path: str) -> None:
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.disk.swap import swap_in

    draft.close()
    if isinstance(draft, FileDraft):
        swap_in([(draft.path, path)])


def text_writer(write: Callable[[bytes], object]) -> Callable[[str], object]:
    return lambda text: write(text.encode("utf-8", "replace"))
