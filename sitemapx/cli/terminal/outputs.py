"""Outputs of commands: standard output, and files that are written atomically."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.outputs.stream import StreamDraft


def infer_report_format(output: str | None) -> str:
    """Infer the format of a report from the name of its file: html, json or text."""
    suffix = (output or "").lower().rpartition(".")[2]
    return {"html": "html", "htm": "html", "json": "json", "jsonl": "json"}.get(suffix, "text")


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
