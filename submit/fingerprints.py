"""
Fingerprints, which tell that a page changed: its lastmod, else all that is said of it.

The lastmod is taken as a moment, in UTC, so that a sitemap and a feed that say the same of a page
agree, whatever zone they write. An entry without one is told by a hash of all its other fields;
one that has none of these either says nothing, and never counts as changed. Pages in a folder have
contents instead, of which only what readers see counts: a new footer changes no page.
"""

from collections.abc import Sequence
from datetime import UTC
from functools import lru_cache
from hashlib import blake2b

import msgspec
from msgspec.structs import replace

from sitemapx.convert.html.page import PagePlace, read_page_file
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.sources.folder import file_of
from sitemapx.convert.values.w3cdate import moment

_encode = msgspec.msgpack.Encoder().encode
_NOTHING = _encode(Entry())
_SIZE = 12
#: Dates without a time, which are the same everywhere, have so many characters.
_DAYS = (4, 7, 10)
#: Those with a time to the second, by their zone.
_WITH_Z, _WITH_ZONE = 20, 25


class Digest:
    """Digest of all that a source lists."""

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=_SIZE)
        self._may_expire = blake2b(digest_size=_SIZE)

    def update(self, batch: Batch, fingerprints: Sequence[str], may_expire: Sequence[bool]) -> None:
        """
        Take a batch.

        Args:
            fingerprints: Those of the entries.
            may_expire: Whether it may leave the source without being removed.

        """
        self._hash.update("\n".join([*batch.locs(), *fingerprints, ""]).encode("utf-8", "replace"))
        # Without their number, the same lines might be other entries.
        self._may_expire.update(len(may_expire).to_bytes(4, "big") + bytes(may_expire))

    @property
    def fingerprint(self) -> str:
        """The fingerprint of all entries, another one if any of them changed."""
        return self._hash.hexdigest()

    @property
    def all(self) -> str:
        """Likewise, and whether any may now leave the source without being removed, or not."""
        return f"{self.fingerprint}{self._may_expire.hexdigest()}"


def fingerprints(batch: Batch) -> list[str]:
    """
    Return the fingerprint of each entry.

    >>> entries = [Entry(lastmod="2024-05-08T10:53:11+02:00"), Entry(lastmod="2024"), Entry()]
    >>> fingerprints(Batch(entries))
    ['2024-05-08T08:53:11Z', '2024', '']

    """
    dates = [date and _in_utc(date) for date in batch.column("lastmod")]
    if None not in dates or batch.field_counts().keys() <= {"loc", "lastmod"}:
        return [date or "" for date in dates]
    return [date or _hash(entry) for date, entry in zip(dates, batch.entries, strict=True)]


def file_fingerprints(batch: Batch, folder: str, url: str) -> list[str]:
    """
    Return the fingerprint of each page of a folder: its lastmod, else the digest of its content.

    Args:
        url: Where the folder is published.

    """
    return [
        _in_utc(entry.lastmod) if entry.lastmod else _of_file(entry, folder, url)
        for entry in batch.entries
    ]


def _of_file(entry: Entry, folder: str, url: str) -> str:
    path = file_of(entry.loc or "", folder, url.rstrip("/") + "/")
    found = path and read_page_file(PagePlace(path, entry.loc or ""), with_digest=True)
    return found.digest if found and found.digest else _hash(entry)


def _in_utc(date: str) -> str:
    """Write a date in UTC, without what is less than a second."""
    size = len(date)
    if size in _DAYS:
        return date
    if (size == _WITH_Z and date[-1] == "Z") or (size == _WITH_ZONE and date.endswith("+00:00")):
        return f"{date[:19]}Z"
    return _moved(date)


@lru_cache(maxsize=4096)  # many pages change at the same time, when a site is built
def _moved(date: str) -> str:
    """Write a date in UTC; as it is where that is before the year 1 or after the year 9999."""
    try:
        return moment(date).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:
        return date


def _hash(entry: Entry) -> str:
    data = _encode(replace(entry, loc=None, source=None))
    return "" if data == _NOTHING else blake2b(data, digest_size=_SIZE).hexdigest()
