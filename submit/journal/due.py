"""
Due items of an engine, by what all sets list now and what the engine accepted.

A URL is due if it is new to the engine, or if its set says that it changed since the engine was
told of it. It stays due until the engine accepts it or refuses it for good, also if its set drops
it in the meantime because the set rolls. A URL is removed if it left a set that does not roll, and
no set lists it.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from sitemapx.convert.model.document import Head
from sitemapx.convert.values import urls
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch, SubmissionItem
from sitemapx.submit.journal.journal import REMOVED, Journal
from sitemapx.submit.journal.listing import IS_FREE, IS_UNKNOWN, SPELT
from sitemapx.submit.limits import RemovalLimit

__all__ = ["DATES", "OF_SETS", "SELECTED", "ExcessRemovals", "Queue", "by_site", "set_numbers"]

#: How many URLs are named as examples, and how many are read at once.
_EXAMPLES = 3
_PAGE = 10_000
OF_SETS = "(:sets IS NULL OR set_id IN (SELECT value FROM json_each(:sets)))"
DATES = "(4, 7, 10, 20)"  # the lengths of dates from a year to a second; no hash has one of them
_COMMON = "1, min(length(l.fingerprint), length(o.fingerprint))"
#: Whether a state that another set had, when the engine was told, is as new as this one: dates are
#: compared as far as both of them go. Of a change later on that day a day says nothing.
_COVERS = f"""
(l.fingerprint = '' OR o.fingerprint = l.fingerprint
    OR length(l.fingerprint) IN {DATES} AND length(o.fingerprint) IN {DATES}
    AND substr(l.fingerprint, {_COMMON}) <= substr(o.fingerprint, {_COMMON})
    AND (length(l.fingerprint) < 20 OR length(o.fingerprint) = 20
        OR o.told_at >= CAST(strftime('%s', l.fingerprint) AS REAL)))"""
#: What has the state again that the engine accepted is not due.
_REVERT = """
UPDATE main.entries SET due = NULL
WHERE target = :target AND due NOTNULL AND due <> fingerprint AND fingerprint <> '' AND NOT doubt
AND EXISTS (
    SELECT 1 FROM {table} l WHERE l.url = entries.url AND l.set_id = entries.set_id
    AND l.is_selected AND l.fingerprint = entries.fingerprint)
AND NOT EXISTS (SELECT 1 FROM json_each(hubs) WHERE value <> entries.fingerprint)
"""
#: Whether the engine was told by way of another set since then, or of a newer state at that time.
_LATER = """
(r.fingerprint IS NULL OR o.told_at > r.told_at OR o.told_at = r.told_at
    AND substr(o.fingerprint, 1, min(length(o.fingerprint), length(r.fingerprint)))
    > substr(r.fingerprint, 1, min(length(o.fingerprint), length(r.fingerprint))))"""
#: All that may be due; told_at is when the engine was told by way of another set, if it was.
_OFFER = f"""
INSERT INTO now.offers
SELECT l.url, l.set_id, l.fingerprint, l.rolls, CASE WHEN r.due IS NULL THEN (
    SELECT max(o.told_at) FROM main.entries o
    WHERE o.target = :target AND o.url = l.url AND o.set_id <> l.set_id AND o.fingerprint NOTNULL
    AND NOT o.doubt
    AND {_LATER} AND {_COVERS}) END
FROM {{table}} l LEFT JOIN main.entries r
ON r.target = :target AND r.url = l.url AND r.set_id = l.set_id
WHERE l.is_selected AND l.fingerprint IS NOT r.refused AND (
    r.due NOTNULL AND r.due <> l.fingerprint OR r.due IS NULL AND (r.fingerprint IS NULL OR r.doubt
    OR l.fingerprint <> '' AND l.fingerprint <> r.fingerprint))
"""  # noqa: S608 (made of constants, as all statements here)
#: With --all and --urls: what the engine knows, too. An earlier clock that was wrong holds nothing
#: back for longer than the interval.
_REPEAT = """
INSERT INTO now.offers
SELECT l.url, l.set_id, l.fingerprint, l.rolls, NULL FROM {table} l
WHERE l.is_selected AND :all AND NOT {soon} AND NOT EXISTS (
    SELECT 1 FROM main.entries r WHERE r.target = :target AND r.url = l.url
    AND r.set_id = l.set_id AND r.due NOTNULL)
"""
_SOON = """
EXISTS (SELECT 1 FROM main.entries o WHERE o.target = :target AND o.url = l.url
    AND o.fingerprint NOTNULL AND abs(:now - o.told_at) < :interval)"""
_KEPT_BACK = f"""
SELECT count(DISTINCT l.url) FROM {{table}} l WHERE l.is_selected AND :all AND {_SOON}
AND NOT EXISTS (SELECT 1 FROM main.entries d
    WHERE d.target = :target AND d.url = l.url AND d.due NOTNULL)
"""  # noqa: S608
_QUEUE = """
INSERT INTO main.entries (target, url, set_id, rolls, due)
SELECT :target, url, set_id, rolls, fingerprint FROM now.offers WHERE told_at IS NULL
ORDER BY url, set_id
ON CONFLICT DO UPDATE SET due = excluded.due, rolls = excluded.rolls, refused = NULL,
    hubs = CASE WHEN NOT :all THEN hubs END
"""
_ADOPT = """
INSERT INTO main.entries (target, url, set_id, rolls, fingerprint, told_at)
SELECT :target, url, set_id, rolls, fingerprint, told_at FROM now.offers WHERE told_at NOTNULL
ORDER BY url, set_id
ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, told_at = excluded.told_at
"""
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
        values = {"target": self._target, "all": everything, "interval": interval, "now": now}
        statements = ["DELETE FROM now.offers", _REVERT, _OFFER]
        statements += [_REPEAT.replace("{soon}", _SOON)] * everything
        with self._journal.changing():
            for statement in (*statements, _ADOPT, _QUEUE):
                self._connection.execute(statement.replace("{table}", table), values)
            if not everything:
                return 0
            row = self._connection.execute(_KEPT_BACK.replace("{table}", table), values).fetchone()
        return int(row[0])

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
