"""
Follow an index: read the sitemaps that it lists, in order.

A child is found on disk through a map from addresses to folders. An index in an index is
followed as well, as engines do not but some sites expect; no file is read twice.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemapx.convert.document import Batch, Document
from sitemapx.convert.problems import Context
from sitemapx.convert.sources import is_storage
from sitemapx.errors import InputError

__all__ = ["Mapping", "follow"]

#: Search engines follow none; a chain longer than this is a trap.
MAX_DEPTH = 8


class Mapping(NamedTuple):
    """Where on disk the files of an address are: `url` is a prefix with a final slash."""

    url: str
    folder: str

    @classmethod
    def of(cls, url: str, folder: str) -> "Mapping":
        """Make one of a URL with or without the final slash."""
        return cls(url.rstrip("/") + "/", folder)

    def path_of(self, url: str) -> str | None:
        """Find the file of a URL; None if it is not below this address, or outside the folder."""
        if not url.startswith(self.url):
            return None
        from urllib.parse import unquote

        relative = unquote(url[len(self.url) :].partition("#")[0].partition("?")[0])
        if "\0" in relative:
            return None
        if is_storage(self.folder):
            return f"{self.folder.rstrip('/')}/{relative.lstrip('/')}"
        folder = os.path.abspath(self.folder)
        path = os.path.abspath(os.path.join(folder, relative.lstrip("/")))
        if not Path(path).is_relative_to(folder):
            return None
        return os.path.normpath(os.path.join(self.folder, os.path.relpath(path, folder)))


def follow(
    index: Document,
    open_child: Callable[..., Document],
    mappings: Sequence[Mapping],
    context: Context,
    seen: set[str],
    depth: int = 1,
) -> Iterator[Batch]:
    """
    Give the entries of all sitemaps that an index lists.

    Args:
        open_child: `read`, or a part of it.
        mappings: Where files are; the first that fits is taken.
        context: Of the index; told of each child that cannot be read.
        seen: The real paths of all files that were opened, the index itself included.

    """
    for row in index:
        url = row.loc or ""
        path = next((path for one in mappings if (path := one.path_of(url))), None)
        if path is None:
            is_mapped = any(url.startswith(one.url) for one in mappings)
            said = (
                "this leads out of the folder that --map gives for it"
                if is_mapped
                else "no --map says where this is on disk; --no-follow lists the index itself"
            )
            context.problem("child-failed", said, loc=url)
        elif os.path.realpath(path) in seen:
            context.problem("repeated", "a sitemap listed again; read once", loc=url)
        else:
            seen.add(os.path.realpath(path))
            try:
                with open_child(path, source_url=url) as child:
                    if not child.is_index:
                        yield from child.batches
                    elif depth < MAX_DEPTH:
                        yield from follow(child, open_child, mappings, context, seen, depth + 1)
                    else:
                        context.problem("child-failed", "an index too deep in others", loc=url)
            except InputError as error:
                context.problem("child-failed", str(error), loc=url)
