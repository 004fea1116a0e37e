"""Outputs of commands: standard output, and files that appear when they are whole."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.outputs.stream import StreamDraft


@contextmanager
def written_file(path: str) -> Iterator[Callable[[str], object]]:
    """
    Write a file that appears when it is whole.

    Raises:
        OutputError: If it cannot be written.

    """
    draft = new_draft(path)
    try:
        yield encoded(draft.write)
        finish(draft, path)
    finally:
        draft.discard()


def new_draft(path: str) -> "FileDraft | StreamDraft":
    """Make what keeps an output back until it is whole."""
    from sitemapx.convert.outputs.stream import StreamDraft, is_special

    if path == "-" or is_special(path):
        return StreamDraft(path, keep=True)
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.disk.lock import tidy_folder

    tidy_folder(os.path.dirname(path) or os.curdir)
    return FileDraft(path)


def finish(draft: "FileDraft | StreamDraft", path: str) -> None:
    """Write an output that was kept back."""
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.disk.swap import swap_in

    draft.close()
    if isinstance(draft, FileDraft):
        swap_in([(draft.path, path)])


def encoded(write: Callable[[bytes], object]) -> Callable[[str], object]:
    """Let a function that writes bytes write text."""
    return lambda text: write(text.encode("utf-8", "replace"))
