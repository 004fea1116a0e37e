"""
The URLs that the sets (sources) of a run list now, to be compared with the journal.

The URLs are sorted in a temporary database that is attached to the journal, so that SQL compares
both and little memory is needed. If the journal already has the same URLs for all sets, nothing is
sorted: `temp.current` is then a view of the journal.
"""

import json
import marshal
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, repeat

from sitemapx.convert.values.uris import normalize, normalize_all
from sitemapx.errors import OutputError
from sitemapx.submit.journal.journal import CACHE_KIB, REMOVED, Journal

#: Tables of the URLs that are listed now, and of the public URLs of sets.
CURRENT, ADDRESSES = "temp.current", "now.addresses"
#: ID of the set for URLs from a list (`--urls`).
LIST = 0
#: Condition: the URL of an entry is not deferred.
IS_FREE = "NOT EXISTS (SELECT 1 FROM now.held h WHERE h.url = e.url)"
#: Expression: the written form of the URL of an entry, as it is sent.
SPELT = "coalesce((SELECT spelt FROM main.spellings s WHERE s.url = e.url), e.url)"
_COLUMNS = "url TEXT, set_id INTEGER, fingerprint TEXT, may_expire INTEGER, is_selected INTEGER"
_SORTED = f"({_COLUMNS}, PRIMARY KEY (url, set_id)) WITHOUT ROWID"
#: Attaches a temporary database: https://www.sqlite.org/inmemorydb.html#temp_db
_ATTACH = f"""
ATTACH '' AS now;
PRAGMA now.journal_mode = OFF;
PRAGMA now.synchronous = OFF;
PRAGMA now.cache_size = -{CACHE_KIB};
CREATE TABLE now.gone (url TEXT PRIMARY KEY, is_lasting INTEGER) WITHOUT ROWID;
CREATE TABLE now.dropped (set_id INTEGER, url TEXT, may_expire INTEGER);
-- is_turned: whether the URL is new in its set, or its may_expire has changed.
CREATE TABLE now.changed (
    set_id INTEGER, url TEXT, may_expire INTEGER, fingerprint TEXT, is_turned INTEGER);
CREATE TABLE now.offers (
    url TEXT, set_id INTEGER, fingerprint TEXT, may_expire INTEGER, is_known INTEGER);
CREATE TABLE now.leaving (url TEXT, set_id INTEGER);
CREATE TABLE now.held (url TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE now.newest (rank INTEGER PRIMARY KEY, url TEXT);
CREATE TABLE now.spelt (url TEXT PRIMARY KEY, spelt TEXT) WITHOUT ROWID;
CREATE TABLE now.addresses {_SORTED};
CREATE TABLE now.read (first INTEGER PRIMARY KEY, rows BLOB);
"""
#: Maximum number of URLs in `sample`.
_SAMPLE = 100
#: Sorting all at once is much faster than keeping a growing table sorted. If a set lists a URL
#: twice, rows with a fingerprint win, then rows that do not expire, then the first.
_SORT = (
    f"CREATE TABLE now.listed {_SORTED}",
    """
    INSERT OR IGNORE INTO now.listed SELECT * FROM now.added
    ORDER BY url, set_id, fingerprint = '', may_expire, rowid""",
    "DROP TABLE now.added",
    "CREATE TEMP VIEW current AS SELECT * FROM now.listed",
)
_AS_KNOWN = """
CREATE TEMP VIEW current AS SELECT url, set_id, fingerprint, may_expire, 1 AS is_selected
FROM main.listed WHERE set_id IN ({})"""
_IN_SETS = "set_id IN (SELECT value FROM json_each(:sets))"
_NOT_NOW = """
NOT EXISTS (SELECT 1 FROM temp.current n WHERE n.url = listed.url AND n.set_id = listed.set_id)"""
_ANYWHERE = """
EXISTS (SELECT 1 FROM main.sets s CROSS JOIN main.listed a
    WHERE a.set_id = s.id AND a.url = gone.url)"""
#: Condition: the contents of any set are unknown, as the journal was rebuilt.
_IS_UNKNOWN = """
EXISTS (SELECT 1 FROM main.sets s CROSS JOIN main.listed l WHERE l.set_id = s.id AND l.url = '')"""
#: Condition: an engine has accepted the URL of an entry, which no set lists any more and which does
#: not expire.
IS_WITHDRAWN = f"""
NOT e.may_expire AND NOT {_IS_UNKNOWN}
AND NOT EXISTS (SELECT 1 FROM main.listed l WHERE l.set_id = e.set_id AND l.url = e.url)
AND NOT EXISTS (SELECT 1 FROM main.sets s CROSS JOIN main.listed l
    WHERE l.set_id = s.id AND l.url = e.url)
AND EXISTS (SELECT 1 FROM main.entries k
    WHERE k.target = e.target AND k.url = e.url AND k.fingerprint NOTNULL)"""
_PAGES = "SELECT id FROM main.targets WHERE kind = 'urls'"
#: Condition: the page of an entry left all sets, and did not merely expire.
_OF_GONE = f"""
(target, url) IN (SELECT t.id, g.url FROM ({_PAGES}) t CROSS JOIN now.gone g
    WHERE g.is_lasting OR EXISTS (SELECT 1 FROM main.entries k
        WHERE k.target = t.id AND k.url = g.url AND NOT k.may_expire))"""
#: Deletes the URLs that left a set from the stored sets, and adds them to `now.gone`.
_LEAVE = (
    "DELETE FROM now.dropped",
    f"""
    INSERT INTO now.dropped
    SELECT set_id, url, may_expire FROM main.listed WHERE {_IN_SETS} AND {_NOT_NOW}""",
    "DELETE FROM main.listed WHERE (set_id, url) IN (SELECT set_id, url FROM now.dropped)",
    "DELETE FROM now.gone",
    "INSERT INTO now.gone SELECT url, max(NOT may_expire) FROM now.dropped GROUP BY url",
)
_ENTER = (
    "DELETE FROM now.changed",
    """
    INSERT INTO now.changed
    SELECT n.set_id, n.url, n.may_expire, n.fingerprint, l.may_expire IS NOT n.may_expire
    FROM temp.current n LEFT JOIN main.listed l ON l.set_id = n.set_id AND l.url = n.url
    WHERE n.set_id <> 0
    AND (l.may_expire IS NOT n.may_expire OR l.fingerprint IS NOT n.fingerprint)""",
    """
    INSERT INTO main.listed (set_id, url, may_expire, fingerprint)
    SELECT set_id, url, may_expire, fingerprint FROM now.changed WHERE true ORDER BY set_id, url
    ON CONFLICT DO UPDATE
    SET may_expire = excluded.may_expire, fingerprint = excluded.fingerprint""",
    f"""
    UPDATE main.entries SET may_expire = n.may_expire FROM ({_PAGES}) t CROSS JOIN now.changed n
    WHERE n.is_turned AND target = t.id AND entries.url = n.url
    AND entries.set_id = n.set_id""",
    f"""
    UPDATE main.entries SET refused = NULL FROM ({_PAGES}) t CROSS JOIN now.changed n
    WHERE n.is_turned AND target = t.id AND entries.url = n.url
    AND refused = '{REMOVED}'""",
)
#: Submit each URL in its current written form, not the one recorded earlier.
_SPELL = (
    """
    DELETE FROM main.spellings
    WHERE EXISTS (SELECT 1 FROM temp.current n WHERE n.url = spellings.url)""",
    "INSERT OR REPLACE INTO main.spellings SELECT url, spelt FROM now.spelt",
)
#: URLs that left all sets are no longer due; URLs from a list stay due.
_SETTLE = (
    f"DELETE FROM now.gone WHERE {_ANYWHERE} OR {_IS_UNKNOWN}",
    f"UPDATE main.entries SET due = NULL, refused = NULL WHERE set_id <> 0 AND {_OF_GONE}",
    f"""
    DELETE FROM main.entries WHERE {_OF_GONE} AND due IS NULL AND refused IS NULL
    AND NOT EXISTS (SELECT 1 FROM main.entries o
        WHERE o.target = entries.target AND o.url = entries.url AND o.submitted_at NOTNULL)""",
)
#: A list declares that its pages exist, even if they left a set before.
_NAMED = f"""
UPDATE main.entries SET may_expire = 1
WHERE (target, url) IN (
    SELECT t.id, n.url FROM ({_PAGES}) t CROSS JOIN temp.current n WHERE n.set_id = 0)
AND NOT EXISTS (SELECT 1 FROM main.listed l
    WHERE l.set_id = entries.set_id AND l.url = entries.url)"""


class CurrentUrls:
    """
    URLs that the sets of a run list now.

    Call `add_urls`, `sort_urls` and `record_listed` in this order. They raise `OutputError` if the
    URLs cannot be written.

    Attributes:
        count: Number of URLs that were added.
        sample: Up to 100 of the URLs; available after `sort_urls`.

    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._connection = journal.connection
        self._connection.executescript(_ATTACH)
        self._sets: set[int] = set()
        self._selects_all = True
        self._digests: Mapping[int, str] = {}
        self.count = 0
        self.sample: list[str] = []

    def add_urls(
        self,
        set_id: int,
        urls: Sequence[str],
        fingerprints: Sequence[str],
        selected: Iterable[bool] = repeat(True),
        may_expire: Iterable[bool] = repeat(False),
    ) -> None:
        """
        Add URLs of a set.

        Args:
            selected: Whether to send each URL; others are only recorded as listed.
            may_expire: Whether each URL may leave the set without counting as removed.

        """
        if not urls:
            return
        self._ensure_transaction()
        flags, expiring = (list(islice(each, len(urls))) for each in (selected, may_expire))
        rows = (set_id, list(self._normalize(urls)), list(fingerprints), expiring, flags)
        with _disk_errors():
            values = self.count, marshal.dumps(rows)
            self._connection.execute("INSERT INTO now.read VALUES (?, ?)", values)
        self._sets.add(set_id)
        self._selects_all = self._selects_all and all(flags)
        self.count += len(urls)

    def _ensure_transaction(self) -> None:
        """Begin a transaction unless one is open, as this makes adding batches much faster."""
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")

    def sort_urls(self, digests: Mapping[int, str] = {}) -> None:
        """
        Sort the added URLs, unless all are selected and the journal already has the same URLs.

        Args:
            digests: `PublishedSource.digest` of each set whose URLs were all added, by set ID.

        """
        self._ensure_transaction()
        self._digests = digests
        is_known = self._selects_all and self._are_known(self._sets)
        self.sample = self._sample()
        with _disk_errors():
            if is_known:
                self._connection.execute(_AS_KNOWN.format(", ".join(map(str, self._sets))))
            else:
                self._unpack()
            self._connection.execute("DROP TABLE now.read")
            for statement in () if is_known else _SORT:
                self._connection.execute(statement)
            self._connection.execute("COMMIT")

    def _are_known(self, sets: Iterable[int]) -> bool:
        known = dict(self._connection.execute("SELECT id, digest FROM main.sets"))
        return all(known[name] and known[name] == self._digests.get(name) for name in sets)

    def _sample(self) -> list[str]:
        sql = "SELECT first, rows FROM now.read WHERE first <= ? ORDER BY first DESC LIMIT 1"
        some = []
        for number in range(0, self.count, max(self.count // _SAMPLE, 1)):
            first, rows = self._connection.execute(sql, (number,)).fetchone()
            some.append(marshal.loads(rows)[1][number - first])  # noqa: S302 (written above)
        return list(dict.fromkeys(some))[:_SAMPLE]

    def _unpack(self) -> None:
        self._connection.execute(f"CREATE TABLE now.added ({_COLUMNS})")
        for (rows,) in self._connection.execute("SELECT rows FROM now.read ORDER BY first"):
            set_id, urls, *columns = marshal.loads(rows)  # noqa: S302 (written above)
            added = zip(urls, repeat(set_id), *columns, strict=False)
            self._connection.executemany("INSERT INTO now.added VALUES (?, ?, ?, ?, ?)", added)

    def _normalize(self, urls: Sequence[str]) -> Sequence[str]:
        """Return normalized URLs; record the original form where it differs."""
        found = normalize_all(urls)
        if found is urls:
            return urls
        spelt = [
            (spelling, url) for spelling, url in zip(found, urls, strict=True) if spelling != url
        ]
        self._connection.executemany("INSERT OR IGNORE INTO now.spelt VALUES (?, ?)", spelt)
        return found

    def empty_sets(self, sets: Iterable[int]) -> list[int]:
        """Return the given sets to which no URLs have been added."""
        return [set_id for set_id in sets if set_id not in self._sets]

    def record_listed(self, whole: Collection[int]) -> None:
        """
        Record the URLs that the sets list now, unless the journal already has the same URLs.

        Args:
            whole: Sets whose URLs were all added, so that their other URLs in the journal have left
                the set. Other sets may have more URLs than were added.

        """
        sets = self._sets.union(whole)
        if whole and self._are_known(sets):
            return
        digests = {name: self._digests.get(name) for name in whole}
        with self.journal.transaction():
            values = {"sets": json.dumps(list(whole))}
            for statement in (*_SPELL, *_LEAVE, *_ENTER, *_SETTLE, _NAMED):
                self._connection.execute(statement, values if ":sets" in statement else {})
            rows = [(digests.get(name), name) for name in sets]
            self._connection.executemany("UPDATE main.sets SET digest = ? WHERE id = ?", rows)

    def set_addresses(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Replace the sources to submit; rows are (set ID, public URL, fingerprint)."""
        found = [(normalize(url), url, set_id, fingerprint) for set_id, url, fingerprint in rows]
        run = self._connection.executemany
        with self.journal.transaction():
            self._connection.execute("DELETE FROM now.addresses")
            sql = "INSERT OR IGNORE INTO now.addresses VALUES (?, ?, ?, 1, 1)"
            run(sql, ((row, set_id, fingerprint) for row, _, set_id, fingerprint in found))
            run("DELETE FROM main.spellings WHERE url = ?", ((row[0],) for row in found))
            spelt = (row[:2] for row in found if row[0] != row[1])
            run("INSERT OR REPLACE INTO main.spellings VALUES (?, ?)", spelt)


@contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        message = f"cannot write temporary files: {error}; set SQLITE_TMPDIR to another directory"
        raise OutputError(message) from error
