"""
A set of URLs as it is now, compared with what engines know of it.

The URLs are put beside the journal, into a table that is sorted as the journal's own; SQLite walks
along both. So a million of them take seconds and little memory, and what is accepted is written
down in order, too.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby, repeat
from typing import Any

from sitemapx.errors import OutputError
from sitemapx.submit.engines.engine import Batch, Item
from sitemapx.submit.journal import CACHE_KIB, Journal

__all__ = ["Listing", "host_of", "site_of"]

#: What urllib.parse finds as well, in ten times the time.
_site = re.compile(r"(https?://)(?:[^/?#@]*@)?([^/?#]*)", re.IGNORECASE).match
#: A database of its own, without a name: https://www.sqlite.org/inmemorydb.html#temp_db
_ATTACH = f"""
ATTACH '' AS now;
PRAGMA now.journal_mode = OFF;
PRAGMA now.synchronous = OFF;
PRAGMA now.cache_size = -{CACHE_KIB};
"""
#: How many URLs are in a sample.
_SAMPLE = 100
_COLUMNS = "url TEXT, fingerprint TEXT, is_listed INTEGER, is_chosen INTEGER"
#: Sorting all at once is much faster than keeping a growing table sorted. Of a URL that stands
#: there twice, the first one counts.
_SORT = (
    "DROP TABLE IF EXISTS now.listed",
    f"CREATE TABLE now.listed ({_COLUMNS}, PRIMARY KEY (url)) WITHOUT ROWID",
    "INSERT OR IGNORE INTO now.listed SELECT * FROM now.added ORDER BY url, rowid",
    "DROP TABLE now.added",
)
#: Whether an engine knows a URL as it is; where nothing is said that could have changed, nothing
#: did.
_SAME = "(e.fingerprint IS l.fingerprint OR e.fingerprint NOTNULL AND l.fingerprint = '')"
#: The last column: whether it would be too soon to say the same again. (A clock that was wrong
#: keeps nothing back for longer than the interval.)
_DUE = f"""
SELECT l.url, l.fingerprint, l.is_listed, {_SAME} AND abs(:now - e.sent_at) < :interval
FROM now.listed l LEFT JOIN main.entries e ON e.target = :target AND e.url = l.url
WHERE l.url > :after AND l.is_chosen AND (:all OR NOT {_SAME})
ORDER BY l.url LIMIT :most
"""  # noqa: S608 (made of constants)
_GONE_FROM = """
FROM main.entries WHERE target = :target AND set_id = :set AND fingerprint NOTNULL
AND NOT EXISTS (SELECT 1 FROM now.listed l WHERE l.url = entries.url)
"""
_GONE = f"SELECT url {_GONE_FROM} AND url > :after ORDER BY url LIMIT :most"
#: What another set had before is of this one now.
_ADOPT = """
UPDATE main.entries SET set_id = :set WHERE target = :target AND set_id IS NOT :set
AND EXISTS (SELECT 1 FROM now.listed l WHERE l.url = entries.url AND l.is_listed)
"""


class Listing:
    """
    The URLs of a set: added, then `finish`ed, then asked for.

    Attributes:
        count: How many there are.
        waiting: How many were not given, for they were sent only just before.
        sample: Some of them, evenly spread.

    """

    def __init__(self, journal: Journal) -> None:
        self._connection = journal.connection
        self._connection.executescript(_ATTACH)
        self.count = 0
        self.waiting = 0
        self.sample: list[str] = []

    def begin(self) -> None:
        """Begin to add, to an empty listing."""
        self._connection.execute("BEGIN")
        self._connection.execute(f"CREATE TABLE now.added ({_COLUMNS})")
        self.count = 0

    def add(
        self,
        urls: Sequence[str],
        fingerprints: Sequence[str],
        chosen: Iterable[bool] = repeat(True),
        *,
        is_listed: bool = True,
    ) -> None:
        """
        Take URLs.

        Args:
            chosen: Which of them may be sent; the others only are there.
            is_listed: Whether what leaves this list was removed.

        Raises:
            OutputError: If there is no room on disk.

        """
        rows = zip(urls, fingerprints, repeat(is_listed), chosen, strict=False)
        with _room():
            self._connection.executemany("INSERT INTO now.added VALUES (?, ?, ?, ?)", rows)
        self.count += len(urls)

    def finish(self) -> None:
        """
        Sort what was added.

        Raises:
            OutputError: If there is no room on disk.

        """
        step = max(self.count // _SAMPLE, 1)
        rows = (str(row) for row in range(1, self.count + 1, step))
        some = f"SELECT url FROM now.added WHERE rowid IN ({','.join(rows)}) ORDER BY rowid"  # noqa: S608
        self.sample = list(dict.fromkeys(url for (url,) in self._rows(some, {})))[:_SAMPLE]
        with _room():
            for statement in _SORT:
                self._connection.execute(statement)
            self._connection.execute("COMMIT")
        ((self.count,),) = self._rows("SELECT count(*) FROM now.listed", {})

    def due(
        self, target: int, interval: int, now: float, size: int, *, everything: bool = False
    ) -> Iterator[Batch]:
        """
        Give what an engine has to be told of, in batches of one site each, in order.

        Args:
            target: The engine, as the journal numbers it.
            interval: For how many seconds not to say the same again.
            size: How many URLs a batch may have.
            everything: Whether to give what the engine knows, too.

        """
        values = {"target": target, "interval": interval, "now": now, "all": everything}

        def items(rows: Iterable[Any]) -> list[Item]:
            return [
                Item(url, False, mark, bool(is_listed))
                for url, mark, is_listed, is_too_soon in rows
                if not is_too_soon
            ]

        yield from self._batches(_DUE, values, size, items)

    def gone(self, target: int, set_id: int, size: int) -> Iterator[Batch]:
        """Give what an engine knows of this set that is no more there."""
        values = {"target": target, "set": set_id}

        def items(rows: Iterable[Any]) -> list[Item]:
            return [Item(url, is_removed=True) for (url,) in rows]

        yield from self._batches(_GONE, values, size, items)

    def _batches(
        self,
        sql: str,
        values: dict[str, Any],
        size: int,
        items: Callable[[Iterable[Any]], list[Item]],
    ) -> Iterator[Batch]:
        """Give what a query finds; its rows begin with the URL, and are in their order."""
        after = ""
        while rows := self._rows(sql, values | {"after": after, "most": size}):
            sites = _by_site(rows)
            if len(sites) > 1 and len(rows) == size:
                sites.pop()  # there may be more of it: the next batch begins with it
            for site, some in sites:
                found = items(some)
                self.waiting += len(some) - len(found)
                after = some[-1][0]
                if found:
                    yield Batch("urls", host_of(site), site, found)

    def settle(self, target: int, set_id: int, *, forgets: bool) -> None:
        """
        Make what an engine knows part of this set.

        Args:
            forgets: Whether what is no more there is forgotten: the engine does not want to know.

        """
        values = {"target": target, "set": set_id}
        self._connection.execute(_ADOPT, values)
        if forgets:
            self._connection.execute(f"DELETE {_GONE_FROM}", values)

    def _rows(self, sql: str, values: dict[str, object]) -> list[Any]:
        return self._connection.execute(sql, values).fetchall()


def _by_site(rows: list[Any]) -> list[tuple[str, list[Any]]]:
    """Part sorted rows by the sites of their URLs; mostly all have the same."""
    first, last = site_of(rows[0][0]), rows[-1][0]
    if rows[0][0].startswith(f"{first}/") and last.startswith(f"{first}/"):
        return [(first, rows)]
    return [(site, list(some)) for site, some in groupby(rows, lambda row: site_of(row[0]))]


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        said = f"no room for temporary files: {error}; SQLITE_TMPDIR names another folder"
        raise OutputError(said) from error


def site_of(url: str) -> str:
    """
    Give scheme and host of a URL, without a final slash; the empty text if it is none.

    >>> site_of("https://user@Example.com:8080/a?b")
    'https://example.com:8080'

    """
    found = _site(url)
    return f"{found[1]}{found[2]}".lower() if found else ""


def host_of(url: str) -> str:
    """
    Give the host of a URL, with the port if there is one.

    >>> host_of("https://user@Example.com:8080/a?b")
    'example.com:8080'

    """
    return site_of(url).partition("://")[2]
