"""The interface of writers, both in this package and in plug-ins."""

from collections.abc import Collection
from typing import Protocol

from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import uris, urls


class Writer(Protocol):
    """
    Base class of writers; a writer encodes entries in one format.

    A writer never handles files: the caller concatenates, counts, splits and compresses the
    returned bytes. Results must not depend on earlier calls, so one writer serves several files.

    Attributes:
        separator: Bytes before each entry; the caller removes them from the first entry of a file.

    """

    separator: bytes = b""

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """
        Return the bytes before the first entry of a file; by default, empty.

        May be called again for the same file if `head` or `fields` change.

        Args:
            head: Metadata of the output if it is a feed.
            fields: Names of the fields that the entries of the file use so far.

        """
        return b""

    def encode(self, batch: Batch) -> Encoded:
        """Encode a batch; an entry that the format does not support produces no output."""
        ...

    def finish(self) -> bytes:
        """Return the bytes after the last entry of a file; by default, empty."""
        return b""


# ---- parts that writers of several formats share


def choose_loc(entry: Entry, reporter: Reporter) -> str | None:
    """Return the URL to write, as a URI; report a missing or invalid URL and return None."""
    if not entry.loc:
        name = entry.id or entry.title
        about = f", {name!r}" if name else ""
        reporter.problem("no-loc", f"entry has no URL{about}; skipped")
        return None
    uri = uris.to_uri(entry.loc)
    if uri is None:
        is_long = urls.is_absolute(entry.loc) and len(entry.loc) > urls.MAX_LENGTH // 4
        why = "invalid URL: expected an absolute http(s) URL"
        if is_long:
            why = "URL is too long for sitemaps"
        reporter.problem("bad-loc", f"{why}; entry skipped", loc=entry.loc)
    return uri
