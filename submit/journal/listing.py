"""
The URLs that the sets of a run list now, beside what the journal knows.

They are put into a temporary database that is attached to the journal and sorted like its tables;
SQLite walks along both. So a million URLs take seconds and little memory.
"""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import repeat

from sitemapx.convert.values.uris import normal, normals
from sitemapx.errors import OutputError
from sitemapx.submit.journal.journal import CACHE_KIB, REMOVED, Journal

__all__ = ["IS_UNKNOWN", "LIST", "SPELT", "Listing"]

#: The set of lists (`--urls`).
LIST = 0
#: How the URL of an entry is sent.
SPELT = "coalesce((SELECT spelt FROM main.spellings s WHERE s.url = e.url), e.url)"
#: A database of its own, without a name: https://www.sqlite.org/inmemorydb.html#temp_db
_ATTACH = f"""
ATTACH '' AS now;
PRAGMA now.journal_mode = OFF;
PRAGMA now.synchronous = OFF;
PRAGMA now.cache_size = -{CACHE_KIB};
CREATE TABLE now.gone (url TEXT PRIMARY KEY, lasted INTEGER) WITHOUT ROWID;
CREATE TABLE now.dropped (set_id INTEGER, url TEXT, rolls INTEGER);
CREATE TABLE now.turned (set_id INTEGER, url TEXT, rolls INTEGER);
CREATE TABLE now.offers (
    url TEXT, set_id INTEGER, fingerprint TEXT, rolls INTEGER, told_at REAL);
CREATE TABLE now.leaving (url TEXT, set_id INTEGER);
CREATE TABLE now.newest (rank INTEGER PRIMARY KEY, url TEXT);
CREATE TABLE now.spelt (url TEXT PRIMARY KEY, spelt TEXT) WITHOUT ROWID;
"""
#: How many URLs are in a sample.
_SAMPLE = 100
_COLUMNS = "url TEXT, set_id INTEGER, fingerprint TEXT, rolls INTEGER, is_selected INTEGER"
_SORTED = f"({_COLUMNS}, PRIMARY KEY (url, set_id)) WITHOUT ROWID"
#: Sorting all at once is much faster than keeping a growing table sorted. Of a URL that a set lists
#: twice, the first one counts that says something of its state and does not roll off.
_SORT = (
    "DROP TABLE IF EXISTS now.listed",
    f"CREATE TABLE now.listed {_SORTED}",
    """
    INSERT OR IGNORE INTO now.listed SELECT * FROM now.added
    ORDER BY url, set_id, fingerprint = '', rolls, rowid""",
    "DROP TABLE now.added",
    "DROP TABLE IF EXISTS now.addresses",
    f"CREATE TABLE now.addresses {_SORTED}",
)
_IN_SETS = "set_id IN (SELECT value FROM json_each(:sets))"
_NOT_NOW = """
NOT EXISTS (SELECT 1 FROM now.listed n WHERE n.url = listed.url AND n.set_id = listed.set_id)"""
_ANYWHERE = """
EXISTS (SELECT 1 FROM main.sets s CROSS JOIN main.listed a
    WHERE a.set_id = s.id AND a.url = gone.url)"""
#: Whether it is not known, after the journal was rebuilt, what one of the sets lists.
IS_UNKNOWN = """
EXISTS (SELECT 1 FROM main.sets s CROSS JOIN main.listed l WHERE l.set_id = s.id AND l.url = '')"""
_PAGES = "SELECT id FROM main.targets WHERE kind = 'urls'"
#: A page that only rolled off is not gone; one that also left a set that does not roll is.
_OF_GONE = f"""
(target, url) IN (SELECT t.id, g.url FROM ({_PAGES}) t CROSS JOIN now.gone g
    WHERE g.lasted OR EXISTS (SELECT 1 FROM main.entries k
        WHERE k.target = t.id AND k.url = g.url AND NOT k.rolls))"""  # noqa: S608
#: Makes the journal list what the sets list now. What left a set, and is in no other, is not due.
_LEAVE = (
    "DELETE FROM now.dropped",
    f"""
    INSERT INTO now.dropped
    SELECT set_id, url, rolls FROM main.listed WHERE {_IN_SETS} AND {_NOT_NOW}""",  # noqa: S608
    "DELETE FROM main.listed WHERE (set_id, url) IN (SELECT set_id, url FROM now.dropped)",
    "DELETE FROM now.gone",
    "INSERT INTO now.gone SELECT url, max(NOT rolls) FROM now.dropped GROUP BY url",
)
_ENTER = (
    "DELETE FROM now.turned",
    """
    INSERT INTO now.turned SELECT set_id, url, rolls FROM now.listed n
    WHERE set_id <> 0 AND NOT EXISTS (SELECT 1 FROM main.listed l
        WHERE l.set_id = n.set_id AND l.url = n.url AND l.rolls = n.rolls)""",
    """
    INSERT INTO main.listed SELECT * FROM now.turned WHERE true ORDER BY set_id, url
    ON CONFLICT DO UPDATE SET rolls = excluded.rolls""",
    f"""
    UPDATE main.entries SET rolls = n.rolls FROM ({_PAGES}) t CROSS JOIN now.turned n
    WHERE target = t.id AND entries.url = n.url AND entries.set_id = n.set_id""",  # noqa: S608
    f"""
    UPDATE main.entries SET refused = NULL FROM ({_PAGES}) t CROSS JOIN now.turned n
    WHERE target = t.id AND entries.url = n.url AND refused = '{REMOVED}'""",  # noqa: S608
)
#: A page is sent as it is spelt now.
_SPELL = (
    """
    DELETE FROM main.spellings
    WHERE EXISTS (SELECT 1 FROM now.listed n WHERE n.url = spellings.url)""",
    "INSERT OR REPLACE INTO main.spellings SELECT url, spelt FROM now.spelt",
)
#: What a list named stays due, whatever the sets say.
_SETTLE = (
    f"DELETE FROM now.gone WHERE {_ANYWHERE} OR {IS_UNKNOWN}",  # noqa: S608
    f"UPDATE main.entries SET due = NULL, refused = NULL WHERE set_id <> 0 AND {_OF_GONE}",  # noqa: S608
    f"""
    DELETE FROM main.entries WHERE {_OF_GONE} AND due IS NULL AND refused IS NULL
    AND NOT EXISTS (SELECT 1 FROM main.entries o
        WHERE o.target = entries.target AND o.url = entries.url AND o.told_at NOTNULL)""",  # noqa: S608
)
#: Whoever names a page in a list says that it exists, whatever set it left before.
_NAMED = f"""
UPDATE main.entries SET rolls = 1
WHERE (target, url) IN (
    SELECT t.id, n.url FROM ({_PAGES}) t CROSS JOIN now.listed n WHERE n.set_id = 0)
AND NOT EXISTS (SELECT 1 FROM main.listed l
    WHERE l.set_id = entries.set_id AND l.url = entries.url)"""  # noqa: S608


class Listing:
    """
    The URLs of the sets of a run: added, then `finish`ed, then published.

    Attributes:
        count: How many there are.
        sample: Some of them, evenly spread.

    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._connection = journal.connection
        self._connection.executescript(_ATTACH)
        self._sets: set[int] = set()
        self.count = 0
        self.sample: list[str] = []

    def begin(self) -> None:
        """Begin to add, to an empty listing."""
        self._connection.execute("BEGIN")
        self._connection.execute(f"CREATE TABLE now.added ({_COLUMNS})")
        self.count = 0

    def add(
        self,
        set_id: int,
        urls: Sequence[str],
        fingerprints: Sequence[str],
        selected: Iterable[bool] = repeat(True),
        rolls: Iterable[bool] = repeat(False),
    ) -> None:
        """
        Take URLs.

        Args:
            selected: Which of them may be sent; the others are only listed.
            rolls: Which of them may leave the set without being removed.

        Raises:
            OutputError: If there is no room on disk.

        """
        urls = self._unified(urls)
        self._sets.add(set_id)
        rows = zip(urls, repeat(set_id), fingerprints, rolls, selected, strict=False)
        with _room():
            self._connection.executemany("INSERT INTO now.added VALUES (?, ?, ?, ?, ?)", rows)
        self.count += len(urls)

    def _unified(self, urls: Sequence[str]) -> Sequence[str]:
        """Return the one spelling of each URL, and note how it is spelt here."""
        found = normals(urls)
        if found is urls:
            return urls
        spelt = [(one, url) for one, url in zip(found, urls, strict=True) if one != url]
        self._connection.executemany("INSERT OR IGNORE INTO now.spelt VALUES (?, ?)", spelt)
        return found

    def finish(self) -> None:
        """
        Sort what was added.

        Raises:
            OutputError: If there is no room on disk.

        """
        step = max(self.count // _SAMPLE, 1)
        rows = (str(row) for row in range(1, self.count + 1, step))
        some = f"SELECT url FROM now.added WHERE rowid IN ({','.join(rows)}) ORDER BY rowid"  # noqa: S608
        found = self._connection.execute(some).fetchall()
        self.sample = list(dict.fromkeys(url for (url,) in found))[:_SAMPLE]
        with _room():
            for statement in _SORT:
                self._connection.execute(statement)
            self._connection.execute("COMMIT")
        self.count = int(str(self.journal.value("SELECT count(DISTINCT url) FROM now.listed")))

    def empty_sets(self, sets: Iterable[int]) -> list[int]:
        """List the sets without a URL."""
        sql = "SELECT DISTINCT set_id FROM now.listed"
        full = {set_id for (set_id,) in self._connection.execute(sql)}
        return [set_id for set_id in sets if set_id not in full]

    def publish(self, whole: Collection[int], digests: Mapping[int, str] = {}) -> None:
        """
        Record what the sets list now.

        Args:
            whole: The sets of which all URLs are here; in the others there may be more.
            digests: Of what is here of these sets, if it is known: nothing needs to be done if
                the journal has the same of all.

        """
        from json import dumps

        sets = self._sets.union(whole)
        known = dict(self._connection.execute("SELECT id, digest FROM main.sets"))
        if digests and all(known[one] and known[one] == digests.get(one) for one in sets):
            return
        with self.journal.changing():
            values = {"sets": dumps(list(whole))}
            for statement in (*_SPELL, *_LEAVE, *_ENTER, *_SETTLE, _NAMED):
                self._connection.execute(statement, values if ":sets" in statement else {})
            rows = [(digests.get(one), one) for one in sets]
            self._connection.executemany("UPDATE main.sets SET digest = ? WHERE id = ?", rows)

    def offer_addresses(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Take the addresses of sets, and their fingerprints, in place of those taken before."""
        found = [(normal(url), url, set_id, fingerprint) for set_id, url, fingerprint in rows]
        run = self._connection.executemany
        with self.journal.changing():
            self._connection.execute("DELETE FROM now.addresses")
            sql = "INSERT OR IGNORE INTO now.addresses VALUES (?, ?, ?, 1, 1)"
            run(sql, ((one, set_id, fingerprint) for one, _, set_id, fingerprint in found))
            run("DELETE FROM main.spellings WHERE url = ?", ((one[0],) for one in found))
            spelt = (one[:2] for one in found if one[0] != one[1])
            run("INSERT OR REPLACE INTO main.spellings VALUES (?, ?)", spelt)


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        message = f"cannot write temporary files: {error}; set SQLITE_TMPDIR to another directory"
        raise OutputError(message) from error
