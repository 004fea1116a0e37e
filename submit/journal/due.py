"""
Computes the items to send to an engine, by comparing the current URLs with accepted ones.

`decisions` decides which states of a URL are due; this module loads and stores them. A due state
stays due if a feed drops the URL in the meantime. A URL counts as removed once no source lists it,
unless its source (such as a feed) drops old URLs anyway.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from sitemapx.convert.model.document import Head
from sitemapx.convert.values import urls
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch, SubmissionItem
from sitemapx.submit.journal.currenturls import IS_FREE, IS_WITHDRAWN, SPELT
from sitemapx.submit.journal.decisions import (
    DATE_LENGTHS,
    KnownState,
    ListedState,
    is_recent,
    known_states,
)
from sitemapx.submit.journal.journal import REMOVED, Journal
from sitemapx.submit.settings import RemovalLimit

#: Maximum number of URLs given as examples, and number of changes to collect before writing.
_EXAMPLES = 3
_PAGE = 10_000
_OF_SETS = "(:sets IS NULL OR set_id IN (SELECT value FROM json_each(:sets)))"
_DATES = f"({', '.join(map(str, DATE_LENGTHS))})"
#: States that may be due: those that the engine has not accepted; with --all and --urls, all
#: states.
_OFFER = """
INSERT INTO now.offers
SELECT l.url, l.set_id, l.fingerprint, l.may_expire, EXISTS (
    SELECT 1 FROM main.entries k WHERE k.target = :target AND k.url = l.url)
FROM {table} l LEFT JOIN main.entries r
ON r.target = :target AND r.url = l.url AND r.set_id = l.set_id
WHERE l.is_selected
AND (:all OR l.fingerprint IS NOT r.fingerprint OR r.due NOTNULL OR r.unconfirmed)
"""
#: A URL without any record for the engine is due; this avoids a million single decisions.
_ADD_NEW = """
INSERT INTO main.entries (target, url, set_id, may_expire, due)
SELECT ?, url, set_id, may_expire, fingerprint FROM now.offers
WHERE NOT is_known ORDER BY url, set_id
"""
_OFFERED = """
SELECT url, set_id, fingerprint, may_expire FROM now.offers WHERE is_known ORDER BY url, set_id"""
_COLUMNS = ", ".join(KnownState._fields)
_KNOWN = f"""
SELECT url, {_COLUMNS} FROM main.entries
WHERE target = ? AND url IN (SELECT url FROM now.offers WHERE is_known) ORDER BY url, set_id
"""
_STORE = f"""
INSERT OR REPLACE INTO main.entries (target, url, {_COLUMNS})
VALUES (?, ?{", ?" * len(KnownState._fields)})"""
_AGAIN = f"""
UPDATE main.entries AS e SET due = nullif(refused, '{REMOVED}'), refused = NULL
WHERE target = :target AND refused NOTNULL AND {IS_FREE}
"""
_HOLD = """
INSERT INTO now.held SELECT DISTINCT url FROM main.entries
WHERE target = :target AND abs(:now - tried_at) < :interval"""
#: For kinds other than pages: metadata of the source.
_HEAD = "(SELECT head FROM main.sets WHERE id = set_id)"
_ACCEPTED_HUBS = "(SELECT json_group_array(key) FROM json_each(e.hubs) WHERE value = e.due)"
_DUE = f"""
SELECT url, {SPELT}, {{head}} FROM main.entries e
WHERE target = :target AND due NOTNULL AND url > :after AND {_OF_SETS} AND {IS_FREE} {{selected}}
GROUP BY url ORDER BY url LIMIT :most
"""
_SELECTED = """
AND NOT EXISTS (SELECT 1 FROM temp.current n WHERE n.url = e.url AND n.set_id = e.set_id
    AND NOT n.is_selected)"""
#: URLs without a date come last: hashes of contents have no order in time.
_RANK = f"""
INSERT INTO now.newest (url)
SELECT url FROM main.entries e
WHERE target = :target AND due NOTNULL AND {_OF_SETS} AND {IS_FREE} {{selected}}
GROUP BY url
ORDER BY max(CASE WHEN length(due) IN {_DATES} THEN due ELSE '' END) DESC, url
"""
_NEXT = f"""
SELECT url, {SPELT}, rank FROM now.newest e WHERE rank > ? ORDER BY rank LIMIT ?
"""
_LEAVING = f"""
INSERT INTO now.leaving
SELECT url, set_id FROM main.entries e WHERE target = :target AND {_OF_SETS} AND {IS_WITHDRAWN}
AND NOT EXISTS (SELECT 1 FROM main.entries d
    WHERE d.target = :target AND d.url = e.url AND (d.due NOTNULL OR d.refused = '{REMOVED}'))
"""
_REMOVED = f"""
SELECT url, {SPELT} FROM now.leaving e
WHERE url > :after AND {IS_FREE} GROUP BY url ORDER BY url LIMIT :most"""
_KNOWN_OF_SET = """
SELECT count(*) FROM main.entries
WHERE target = ? AND set_id = ? AND NOT may_expire AND (fingerprint NOTNULL OR due IS NULL)
"""

_decode = msgspec.json.Decoder(Head).decode


class ExcessRemovals(NamedTuple):
    """A set that lost more URLs than allowed: `gone` of `known` URLs, with some examples."""

    set: str
    gone: int
    known: int
    examples: list[str]


class DueItems:
    """The due items of one kind for an engine (`target_id`), in batches of at most `size` items."""

    def __init__(self, journal: Journal, target_id: int, kind: ItemKind, size: int) -> None:
        self._journal = journal
        self._connection = journal.connection
        self._target_id = target_id
        self._kind: ItemKind = kind
        self._size = size

    def add_changed(self, table: str, *, everything: bool, interval: int, now: float) -> int:
        """
        Add URLs that are new to the engine or have changed.

        Args:
            table: `CURRENT` or `ADDRESSES`.
            everything: Whether to add unchanged URLs as well.
            interval: Seconds for which a URL is not submitted again in the same state.
            now: The time, in seconds since 1970.

        Returns:
            Number of URLs that are not added because they were submitted too recently.

        """
        values = {"target": self._target_id, "all": everything}
        changes, recent = [], 0
        with self._journal.transaction():
            self._connection.execute("DELETE FROM now.offers")
            self._connection.execute(_OFFER.replace("{table}", table), values)
            self._connection.execute(_ADD_NEW, (self._target_id,))
            for url, listed, known in self._changed_urls():
                is_kept_back = everything and is_recent(known, now, interval)
                states = known_states(listed, known, repeats=everything and not is_kept_back)
                recent += is_kept_back and all(state.due is None for state in states)
                changes += [
                    (self._target_id, url, *state) for state in states if state not in known
                ]
                if len(changes) > _PAGE:
                    self._connection.executemany(_STORE, changes)
                    changes.clear()
            self._connection.executemany(_STORE, changes)
        return recent

    def _changed_urls(self) -> Iterator[tuple[str, list[ListedState], list[KnownState]]]:
        """Yield each known URL that may be due, with its states in the sets and in the journal."""
        by_url = itemgetter(0)
        known = groupby(self._connection.execute(_KNOWN, (self._target_id,)), by_url)
        known_url, rows = next(known, ("", ()))
        for url, listed in groupby(self._connection.execute(_OFFERED), by_url):
            states = []
            if known_url == url:
                states = [KnownState(*row[1:]) for row in rows]
                known_url, rows = next(known, ("", ()))
            yield url, [ListedState(*row[1:]) for row in listed], states

    def add_refused(self, *, interval: int, now: float) -> int:
        """
        Make refused URLs due again; defer all URLs, refused or due, that were sent recently.

        Args:
            interval: Seconds before a URL is sent again.
            now: The time, in seconds since 1970.

        Returns:
            Number of deferred URLs.

        """
        with self._journal.transaction():
            self._connection.execute("DELETE FROM now.held")
            values = {"target": self._target_id, "interval": interval, "now": now}
            count = self._connection.execute(_HOLD, values).rowcount
            self._connection.execute(_AGAIN, {"target": self._target_id})
        return count

    def batches(
        self,
        sets: Collection[int] | None = None,
        *,
        selected_only: bool = False,
        newest_first: bool = False,
    ) -> Iterator[SubmissionBatch]:
        """
        Yield the due items in batches, each of one site.

        Args:
            sets: Journal IDs of the sets whose items are wanted; None for all sets.
            selected_only: Whether to skip items that the sets list, but that are not selected.
            newest_first: Whether to sort URLs by their dates.

        """
        selected = _SELECTED if selected_only else ""
        values = {"target": self._target_id, "sets": _set_numbers(sets), "most": self._size}
        if newest_first:
            self._connection.execute("DELETE FROM now.newest")
            self._connection.execute(_RANK.replace("{selected}", selected), values)
            pages = self._newest_pages()
        else:
            head = "NULL" if self._kind == "urls" else f"{_HEAD}, {_ACCEPTED_HUBS}"
            sql = _DUE.replace("{head}", head).replace("{selected}", selected)
            pages = _pages(self._connection, sql, values)
        for site, rows in pages:
            if self._kind == "urls":
                items = [SubmissionItem(spelt) for _, spelt, *_ in rows]
            else:
                items = [_feed_item(*row[1:]) for row in rows]
            yield SubmissionBatch(self._kind, urls.authority(site), site, items)

    def _newest_pages(self) -> Iterator[tuple[str, list[Any]]]:
        after = 0
        while rows := self._connection.execute(_NEXT, (after, self._size)).fetchall():
            after = rows[-1][-1]
            yield from _by_site(sorted(rows, key=lambda row: urls.site(row[0])))

    def find_removals(self, sets: Collection[int] | None) -> "Removals":
        """Find the URLs of these sets (None for all) that count as removed; see `IS_WITHDRAWN`."""
        self._connection.execute("DELETE FROM now.leaving")
        values = {"target": self._target_id, "sets": _set_numbers(sets)}
        self._connection.execute(_LEAVING, values)
        return Removals(self._journal, self._target_id, self._size)


class Removals:
    """
    URLs that an engine has accepted and that no set lists any more.

    Valid only until `DueItems.find_removals` is called again, which overwrites the URLs.
    """

    def __init__(self, journal: Journal, target_id: int, size: int) -> None:
        self._journal = journal
        self._connection = journal.connection
        self._target_id = target_id
        self._size = size

    def find_excess(self, limit: RemovalLimit) -> list[ExcessRemovals]:
        counts = "SELECT set_id, count(*) FROM now.leaving GROUP BY set_id HAVING count(*) > ?"
        found = []
        for set_id, gone in self._connection.execute(counts, (limit.urls,)).fetchall():
            known = int(str(self._journal.first_value(_KNOWN_OF_SET, self._target_id, set_id)))
            if gone * 100 > known * limit.percent:
                name = str(
                    self._journal.first_value("SELECT name FROM main.sets WHERE id = ?", set_id)
                )
                sql = "SELECT url FROM now.leaving WHERE set_id = ? ORDER BY url LIMIT ?"
                rows = self._connection.execute(sql, (set_id, _EXAMPLES))
                found.append(ExcessRemovals(name, gone, known, [url for (url,) in rows]))
        return found

    def count_by_host(self) -> Counter[str]:
        counts = Counter[str]()
        for batch in self.batches():
            counts[batch.host] += len(batch.items)
        return counts

    def batches(self) -> Iterator[SubmissionBatch]:
        """Yield the URLs as removed items, in batches of one site each."""
        for site, rows in _pages(self._connection, _REMOVED, {"most": self._size}):
            items = [SubmissionItem(spelt, is_removed=True) for _, spelt in rows]
            yield SubmissionBatch("urls", urls.authority(site), site, items)

    def forget(self) -> None:
        """Delete the records of the URLs, for an engine that does not accept removals."""
        with self._journal.transaction():
            self._connection.execute(
                "DELETE FROM main.entries WHERE target = ? AND (url, set_id) IN "
                "(SELECT url, set_id FROM now.leaving)",
                (self._target_id,),
            )


def _feed_item(url: str, head: str | None, hubs: str) -> SubmissionItem:
    feed_head = _decode(head) if head else None
    return SubmissionItem(url, head=feed_head, accepted_hubs=json.loads(hubs))


def _pages(
    connection: sqlite3.Connection, sql: str, values: Mapping[str, object]
) -> Iterator[tuple[str, list[Any]]]:
    """
    Yield the rows of a query, grouped by site.

    The query returns at most `:most` rows with a URL after `:after`; the first column is the URL.
    """
    after = ""
    while rows := connection.execute(sql, {**values, "after": after}).fetchall():
        sites = _by_site(rows)
        if len(sites) > 1 and len(rows) == values["most"]:
            sites.pop()  # the last site may have more rows: the next page begins with its rows
        for site, some in sites:
            after = some[-1][0]
            yield site, some


def _set_numbers(sets: Collection[int] | None) -> str | None:
    return None if sets is None else json.dumps(list(sets))


def _by_site(rows: list[Any]) -> list[tuple[str, list[Any]]]:
    """Group sorted rows by the site of their URL; fast if all belong to the same site."""
    first, last = urls.site(rows[0][0]), rows[-1][0]
    if rows[0][0].startswith(f"{first}/") and last.startswith(f"{first}/"):
        return [(first, rows)]
    return [(site, list(some)) for site, some in groupby(rows, lambda row: urls.site(row[0]))]
