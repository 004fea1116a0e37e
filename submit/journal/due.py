"""
Due items of an engine, by what all sets list now and what the engine accepted.

`decisions` says which states are due; here they are loaded and stored. They stay due until the
engine accepts them or refuses them for good, also if a set that rolls drops the URL in the
meantime. A URL is removed if it left a set that does not roll, and no set lists it.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from sitemapx.convert.model.document import Head
from sitemapx.convert.values import urls
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch, SubmissionItem
from sitemapx.submit.journal.decisions import (
    DATE_LENGTHS,
    KnownState,
    ListedState,
    is_recent,
    known_states,
)
from sitemapx.submit.journal.journal import REMOVED, Journal
from sitemapx.submit.journal.listing import IS_FREE, IS_UNKNOWN, SPELT
from sitemapx.submit.limits import RemovalLimit

__all__ = ["DATES", "OF_SETS", "SELECTED", "ExcessRemovals", "Queue", "by_site", "set_numbers"]

#: How many URLs are named as examples, and how many are read at once.
_EXAMPLES = 3
_PAGE = 10_000
OF_SETS = "(:sets IS NULL OR set_id IN (SELECT value FROM json_each(:sets)))"
DATES = f"({', '.join(map(str, DATE_LENGTHS))})"
#: What may be due: states that the engine does not know; with --all and --urls, all states.
_OFFER = """
INSERT INTO now.offers
SELECT l.url, l.set_id, l.fingerprint, l.rolls, EXISTS (
    SELECT 1 FROM main.entries k WHERE k.target = :target AND k.url = l.url)
FROM {table} l LEFT JOIN main.entries r
ON r.target = :target AND r.url = l.url AND r.set_id = l.set_id
WHERE l.is_selected AND (:all OR l.fingerprint IS NOT r.fingerprint OR r.due NOTNULL OR r.doubt)
"""
#: A URL of which the engine knows nothing is due; a million of them need no decision each.
_ADD_NEW = """
INSERT INTO main.entries (target, url, set_id, rolls, due)
SELECT ?, url, set_id, rolls, fingerprint FROM now.offers WHERE NOT is_known ORDER BY url, set_id
"""
_OFFERED = """
SELECT url, set_id, fingerprint, rolls FROM now.offers WHERE is_known ORDER BY url, set_id"""
_COLUMNS = ", ".join(KnownState._fields)
_KNOWN = f"""
SELECT url, {_COLUMNS} FROM main.entries
WHERE target = ? AND url IN (SELECT url FROM now.offers WHERE is_known) ORDER BY url, set_id
"""  # noqa: S608 (made of constants, as all statements here)
_STORE = f"""
INSERT OR REPLACE INTO main.entries (target, url, {_COLUMNS})
VALUES (?, ?{", ?" * len(KnownState._fields)})"""  # noqa: S608
_AGAIN = f"""
UPDATE main.entries AS e SET due = nullif(refused, '{REMOVED}'), refused = NULL
WHERE target = :target AND refused NOTNULL AND {IS_FREE}
"""  # noqa: S608
_HOLD = """
INSERT INTO now.held SELECT DISTINCT url FROM main.entries
WHERE target = :target AND abs(:now - tried_at) < :interval"""
#: For kinds other than pages: what the feed says about itself.
_HEAD = "(SELECT head FROM main.sets WHERE id = set_id)"
_ACCEPTED_HUBS = "(SELECT json_group_array(key) FROM json_each(e.hubs) WHERE value = e.due)"
_DUE = f"""
SELECT url, {SPELT}, {{head}} FROM main.entries e
WHERE target = :target AND due NOTNULL AND url > :after AND {OF_SETS} AND {IS_FREE} {{selected}}
GROUP BY url ORDER BY url LIMIT :most
"""  # noqa: S608
SELECTED = """
AND NOT EXISTS (SELECT 1 FROM temp.current n WHERE n.url = e.url AND n.set_id = e.set_id
    AND NOT n.is_selected)"""
_LEAVING = f"""
INSERT INTO now.leaving
SELECT url, set_id FROM main.entries e
WHERE target = :target AND NOT rolls AND {OF_SETS} AND NOT {IS_UNKNOWN}
AND NOT EXISTS (SELECT 1 FROM main.listed l WHERE l.set_id = e.set_id AND l.url = e.url)
AND NOT EXISTS (SELECT 1 FROM main.sets s CROSS JOIN main.listed l
    WHERE l.set_id = s.id AND l.url = e.url)
AND EXISTS (SELECT 1 FROM main.entries k
    WHERE k.target = :target AND k.url = e.url AND k.fingerprint NOTNULL)
AND NOT EXISTS (SELECT 1 FROM main.entries d
    WHERE d.target = :target AND d.url = e.url AND (d.due NOTNULL OR d.refused = '{REMOVED}'))
"""  # noqa: S608
_LEFT_FROM = f"""
FROM now.leaving e WHERE url > :after AND {IS_FREE} GROUP BY url ORDER BY url LIMIT :most"""
_KNOWN_OF_SET = """
SELECT count(*) FROM main.entries
WHERE target = ? AND set_id = ? AND NOT rolls AND (fingerprint NOTNULL OR due IS NULL)
"""

_decode = msgspec.json.Decoder(Head).decode


class ExcessRemovals(NamedTuple):
    """A set of which more disappeared than may: how many of how many URLs, and some of them."""

    set: str
    gone: int
    known: int
    examples: list[str]


class Queue:
    """The due items of one kind, for an engine."""

    def __init__(self, journal: Journal, target: int) -> None:
        """
        Take the engine.

        Args:
            target: The engine and the kind, as the journal numbers them.

        """
        self._journal = journal
        self._connection = journal.connection
        self._target = target

    def offer(self, table: str, *, everything: bool, interval: int, now: float) -> int:
        """
        Add what is due now.

        Args:
            table: `CURRENT` or `ADDRESSES`.
            everything: Whether to add what the engine knows, too.
            interval: For how many seconds it is not told the same again.

        Returns:
            How many URLs it was told of too recently for that.

        """
        values = {"target": self._target, "all": everything}
        changes, recent = [], 0
        with self._journal.changing():
            self._connection.execute("DELETE FROM now.offers")
            self._connection.execute(_OFFER.replace("{table}", table), values)
            self._connection.execute(_ADD_NEW, (self._target,))
            for url, listed, known in self._offered():
                is_kept_back = everything and is_recent(known, now, interval)
                states = known_states(listed, known, repeats=everything and not is_kept_back)
                recent += is_kept_back and all(state.due is None for state in states)
                changes += [(self._target, url, *one) for one in states if one not in known]
                if len(changes) > _PAGE:
                    self._connection.executemany(_STORE, changes)
                    changes.clear()
            self._connection.executemany(_STORE, changes)
        return recent

    def _offered(self) -> Iterator[tuple[str, list[ListedState], list[KnownState]]]:
        """Yield URLs that may be due: in which states they are listed, and known."""
        by_url = itemgetter(0)
        known = groupby(self._connection.execute(_KNOWN, (self._target,)), by_url)
        known_url, rows = next(known, ("", ()))
        for url, listed in groupby(self._connection.execute(_OFFERED), by_url):
            states = []
            if known_url == url:
                states = [KnownState(*row[1:]) for row in rows]
                known_url, rows = next(known, ("", ()))
            yield url, [ListedState(*row[1:]) for row in listed], states

    def hold(self, interval: int, now: float) -> int:
        """Hold back what was sent in the last seconds and not accepted; return the count."""
        with self._journal.changing():
            self._connection.execute("DELETE FROM now.held")
            values = {"target": self._target, "interval": interval, "now": now}
            return self._connection.execute(_HOLD, values).rowcount

    def offer_refused(self) -> None:
        """Add what the engine refused for good, and is not held back."""
        with self._journal.changing():
            self._connection.execute(_AGAIN, {"target": self._target})

    def batches(
        self,
        kind: ItemKind,
        size: int,
        sets: Collection[int] | None = None,
        *,
        selected_only: bool = False,
    ) -> Iterator[SubmissionBatch]:
        """
        Yield what is due, in batches of one site each, sorted.

        Args:
            size: How many items a batch may have.
            sets: Only what is due because of these sets.
            selected_only: Whether to skip what is listed, but not selected.

        """
        head = "NULL" if kind == "urls" else f"{_HEAD}, {_ACCEPTED_HUBS}"
        sql = _DUE.replace("{head}", head).replace("{selected}", SELECTED if selected_only else "")

        def item(url: str, head: str | None, hubs: str) -> SubmissionItem:
            feed_head = _decode(head) if head else None
            return SubmissionItem(url, head=feed_head, accepted_hubs=json.loads(hubs))

        for site, rows in self._pages(sql, size, sets):
            if kind == "urls":
                items = [SubmissionItem(spelt) for _, spelt, *_ in rows]
            else:
                items = [item(*row[1:]) for row in rows]
            yield SubmissionBatch(kind, urls.authority(site), site, items)

    def find_removed(self, sets: Collection[int] | None) -> None:
        """Look for what is no longer listed, which the methods below use."""
        self._connection.execute("DELETE FROM now.leaving")
        values = {"target": self._target, "sets": set_numbers(sets)}
        self._connection.execute(_LEAVING, values)

    def excess(self, limit: RemovalLimit) -> list[ExcessRemovals]:
        """List the sets that lost more than they may."""
        counts = "SELECT set_id, count(*) FROM now.leaving GROUP BY set_id HAVING count(*) > ?"
        found = []
        for set_id, gone in self._connection.execute(counts, (limit.urls,)).fetchall():
            known = int(str(self._journal.value(_KNOWN_OF_SET, self._target, set_id)))
            if gone * 100 > known * limit.percent:
                name = str(self._journal.value("SELECT name FROM main.sets WHERE id = ?", set_id))
                sql = "SELECT url FROM now.leaving WHERE set_id = ? ORDER BY url LIMIT ?"
                rows = self._connection.execute(sql, (set_id, _EXAMPLES))
                found.append(ExcessRemovals(name, gone, known, [url for (url,) in rows]))
        return found

    def removed_by_host(self) -> Counter[str]:
        """Count what is no longer listed, by host."""
        counts = Counter[str]()
        for batch in self.removed(_PAGE):
            counts[batch.host] += len(batch.items)
        return counts

    def removed(self, size: int) -> Iterator[SubmissionBatch]:
        """Yield what is no longer listed."""
        for site, rows in self._pages(f"SELECT url, {SPELT} {_LEFT_FROM}", size, None):
            items = [SubmissionItem(spelt, is_removed=True) for _, spelt in rows]
            yield SubmissionBatch("urls", urls.authority(site), site, items)

    def forget_removed(self) -> None:
        """Forget what is no longer listed: the engine does not want to know."""
        with self._journal.changing():
            self._connection.execute(
                "DELETE FROM main.entries WHERE target = ? AND (url, set_id) IN "
                "(SELECT url, set_id FROM now.leaving)",
                (self._target,),
            )

    def _pages(
        self, sql: str, size: int, sets: Collection[int] | None
    ) -> Iterator[tuple[str, list[Any]]]:
        """Yield the rows that a query finds, by site; they begin with the URL, and are sorted."""
        values = {"target": self._target, "sets": set_numbers(sets), "most": size}
        after = ""
        while rows := self._connection.execute(sql, values | {"after": after}).fetchall():
            sites = by_site(rows)
            if len(sites) > 1 and len(rows) == size:
                sites.pop()  # there may be more of it: the next page begins with it
            for site, some in sites:
                after = some[-1][0]
                yield site, some


def set_numbers(sets: Collection[int] | None) -> str | None:
    """Return the numbers of sets as statements take them; None for all sets."""
    return None if sets is None else json.dumps(list(sets))


def by_site(rows: list[Any]) -> list[tuple[str, list[Any]]]:
    """Part sorted rows by the sites of their URLs; mostly all have the same."""
    first, last = urls.site(rows[0][0]), rows[-1][0]
    if rows[0][0].startswith(f"{first}/") and last.startswith(f"{first}/"):
        return [(first, rows)]
    return [(site, list(some)) for site, some in groupby(rows, lambda row: urls.site(row[0]))]
