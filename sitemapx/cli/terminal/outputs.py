"""Outputs of commands: standard output, and files that are written atomically."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from stat import S_ISREG
from typing import TYPE_CHECKING

from sitemapx.errors import InputError, UsageError

if TYPE_CHECKING:
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.outputs.stream import StreamDraft


#: Formats of small reports, by the endings of their files.
_ENDINGS = {
    ".txt": "text",
    ".json": "json",
    ".jsonl": "json",
    ".html": "html",
    ".htm": "html",
}


def infer_report_format(output: str | None, option: str = "--format") -> str:
    """
    Infer the format of a report from its file name: html, json or text (also without extension).

    Raises:
        UsageError: If the name has another extension; the message names `option`.

    """
    suffix = os.path.splitext(output or "")[1].lower()
    if suffix and suffix not in _ENDINGS:
        raise unknown_suffix_error(
            str(output), (".txt", ".json", ".html"), ("text", "json", "html"), option
        )
    return _ENDINGS.get(suffix, "text")


def unknown_suffix_error(
    output: str, endings: Iterable[str], formats: Iterable[str], option: str = "--format"
) -> UsageError:
    """Return the error for a file whose name does not end as reports of any format do."""
    from sitemapx.suggestions import find_closest_suffix

    meant = find_closest_suffix(output, endings)
    suggestion = f". Did you mean {meant!r}? Or" if meant else ";"
    return UsageError(
        f"cannot infer the report format from {output!r}{suggestion} pass {option} FORMAT "
        f"(choose from {', '.join(formats)})"
    )


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
    """
    Create a draft of a report; a draft of standard output or a special file is buffered.

    Raises:
        UsageError: If the report would replace a sitemap or feed in XML.

    """
    from sitemapx.convert.outputs.stream import StreamDraft, is_special

    if path == "-" or is_special(path):
        return StreamDraft(path, keep=True)
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.disk.lock import tidy_folder

    if os.path.isfile(path):
        _reject_sitemap_overwrite(path)
    tidy_folder(os.path.dirname(path) or os.curdir)
    return FileDraft(path)


def _reject_sitemap_overwrite(path: str) -> None:
    from sitemapx.convert.formats.registry import detect
    from sitemapx.convert.model.reporter import Reporter
    from sitemapx.convert.sources.opening import open_source
    from sitemapx.convert.streams.gzip import unpack

    try:
        with open_source(path) as opened:
            found = detect(unpack(opened, Reporter())[0])
    except InputError:
        return
    if found.roots:
        raise UsageError(
            f"{path}: the report would overwrite this {found.name} file; pass another file, or "
            "delete it first"
        )


def publish_draft(draft: "FileDraft | StreamDraft", path: str) -> None:
    from sitemapx.convert.disk.atomic import FileDraft
    from sitemapx.convert.disk.swap import swap_in

    draft.close()
    if isinstance(draft, FileDraft):
        swap_in([(draft.path, path)])


def text_writer(write: Callable[[bytes], object]) -> Callable[[str], object]:
    return lambda text: write(text.encode("utf-8", "replace"))
