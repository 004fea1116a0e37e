"""
Fingerprints of pages, to detect changes: the lastmod, or else a hash of the other fields.

The lastmod is converted to UTC, so that a sitemap and a feed with different time zones agree. An
entry with no field but its URL never counts as changed. For pages in a directory without a lastmod,
the main content is hashed.
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
#: Lengths of dates without a time, which do not depend on the time zone.
_DAYS = (4, 7, 10)
#: Lengths of dates with seconds: with `Z`, and with another time zone.
_WITH_Z, _WITH_ZONE = 20, 25


class Digest:
    """Hash of the URLs of a source and their fingerprints, for comparison with other runs."""

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=_SIZE)
        self._may_expire = blake2b(digest_size=_SIZE)

    def update(self, batch: Batch, fingerprints: Sequence[str], may_expire: Sequence[bool]) -> None:
        """Add a batch, with the fingerprint of each entry and whether each entry may expire."""
        self._hash.update("\n".join([*batch.locs(), *fingerprints, ""]).encode("utf-8", "replace"))
        # Hash the batch length too: otherwise the same lines could be split differently into URLs
        # and fingerprints.
        self._may_expire.update(len(may_expire).to_bytes(4, "big") + bytes(may_expire))

    @property
    def fingerprint(self) -> str:
        return self._hash.hexdigest()

    @property
    def all(self) -> str:
        """`fingerprint`, followed by a hash of whether each entry may expire."""
        return f"{self.fingerprint}{self._may_expire.hexdigest()}"


def fingerprints(batch: Batch) -> list[str]:
    """
    Return the fingerprint of each entry; empty for an entry with no field but its URL.

    >>> entries = [Entry(lastmod="2024-05-08T10:53:11+02:00"), Entry(lastmod="2024"), Entry()]
    >>> fingerprints(Batch(entries))
    ['2024-05-08T08:53:11Z', '2024', '']

    """
    dates = [date and _to_utc(date) for date in batch.column("lastmod")]
    if None not in dates or batch.field_counts().keys() <= {"loc", "lastmod"}:
        return [date or "" for date in dates]
    return [date or _hash(entry) for date, entry in zip(dates, batch.entries, strict=True)]


def file_fingerprints(batch: Batch, folder: str, url: str) -> list[str]:
    """
    Return the fingerprint of each page in a directory, whose public URL is `url`.

    It is the lastmod, else a hash of the content, or as in `fingerprints` for an unreadable file.
    """
    return [
        _to_utc(entry.lastmod) if entry.lastmod else _of_file(entry, folder, url)
        for entry in batch.entries
    ]


def _of_file(entry: Entry, folder: str, url: str) -> str:
    path = file_of(entry.loc or "", folder, url.rstrip("/") + "/")
    found = path and read_page_file(PagePlace(path, entry.loc or ""), with_digest=True)
    return found.digest if found and found.digest else _hash(entry)


def _to_utc(date: str) -> str:
    size = len(date)
    if size in _DAYS:
        return date
    if (size == _WITH_Z and date[-1] == "Z") or (size == _WITH_ZONE and date.endswith("+00:00")):
        return f"{date[:19]}Z"
    return _shift_to_utc(date)


@lru_cache(maxsize=4096)  # when a site is built, many pages change at the same time
def _shift_to_utc(date: str) -> str:
    try:
        return moment(date).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:  # outside the years 1 to 9999
        return date


def _hash(entry: Entry) -> str:
    data = _encode(replace(entry, loc=None, source=None))
    return "" if data == _NOTHING else blake2b(data, digest_size=_SIZE).hexdigest()
