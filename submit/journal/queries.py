"""
Queries of the journal, and changes to it other than the results of batches.

All times are in seconds since 1970. An empty list of engines stands for all engines.
"""

import json
import os
from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from sitemapx.convert.model.document import Head
from sitemapx.convert.values.uris import normalize
from sitemapx.convert.values.urls import authority
from sitemapx.errors import UsageError
from sitemapx.submit.engines.engine import Inspection, ItemKind
from sitemapx.submit.engines.exchange import Answer
from sitemapx.submit.journal.currenturls import IS_WITHDRAWN, SPELT
from sitemapx.submit.journal.journal import RECORD, REMOVED, Journal, Record
from sitemapx.submit.journal.storage import journal_errors
from sitemapx.submit.transport.pauses import Pause, Pauses

#: Seconds after which the documented batch size is tried again.
_MONTH = 30 * 24 * 60 * 60
#: Condition: the engine is in the list, or the list is empty.
_OF_ENGINES = "(:engines = '[]' OR t.engine IN (SELECT value FROM json_each(:engines)))"
#: Condition: a removal has to be submitted to an engine that accepts removals.
_MISSING = f"""
t.kind = 'urls' AND t.engine IN (SELECT value FROM json_each(:removing)) AND {IS_WITHDRAWN}
"""
_KEY = "CASE WHEN {} THEN e.url END"
_TOTALS = f"""
SELECT t.engine, t.kind, count(DISTINCT {_KEY.format("e.fingerprint NOTNULL")}),
    count({_KEY.format("e.fingerprint IS NULL AND e.submitted_at NOTNULL AND e.set_id = 0")}),
    count(DISTINCT {_KEY.format(f"e.due NOTNULL OR e.refused NOTNULL OR {_MISSING}")}),
    (SELECT max(sent_at) FROM batches WHERE target = t.id AND accepted)
FROM targets t LEFT JOIN entries e ON e.target = t.id
WHERE {_OF_ENGINES} AND (
    e.target NOTNULL OR EXISTS (SELECT 1 FROM batches WHERE target = t.id))
GROUP BY t.id ORDER BY t.id
"""
#: Pages that were never inspected come first, starting with the most recently submitted.
_PAGES_TO_INSPECT = f"""
SELECT {SPELT.replace("e.url", "p.url")} FROM (SELECT DISTINCT url FROM main.listed) p
LEFT JOIN inspections i ON i.name = :name AND i.url = p.url
WHERE p.url <> '' AND (i.asked_at IS NULL OR i.asked_at < :before)
ORDER BY i.asked_at NULLS FIRST, (
    SELECT max(e.submitted_at) FROM targets t CROSS JOIN entries e
    WHERE t.kind = 'urls' AND e.target = t.id AND e.url = p.url) DESC, p.url
LIMIT :most
"""
_INSPECTION_TOTALS = """
SELECT name, json_extract(result, '$.verdict'), json_extract(result, '$.coverage'),
    count(*), max(asked_at)
FROM inspections
WHERE :engines = '[]' OR name IN (SELECT value FROM json_each(:engines))
GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 2, 3
"""


class KnownUrl(NamedTuple):
    """State of a URL that an engine accepted; the fingerprint `removed` is for a deleted page."""

    url: str
    engine: str
    kind: ItemKind
    sent_at: float
    fingerprint: str


class Total(NamedTuple):
    """
    Numbers of items that an engine accepted, accepted as removed, or would get by `submit retry`.

    `last` is the time of the last batch with accepted items, or None.
    """

    engine: str
    kind: ItemKind
    known: int
    removed: int
    to_retry: int
    last: float | None


def last_batches(journal: Journal, limit: int, engines: Sequence[str] = ()) -> list[Record]:
    """Return the most recent batches of these engines (empty: of all), oldest first."""
    sql = f"{RECORD} WHERE {_OF_ENGINES} ORDER BY b.id DESC LIMIT :limit"
    rows = journal.connection.execute(sql, {"engines": json.dumps(engines), "limit": limit})
    return [Record(*row) for row in rows][::-1]


def known_urls(journal: Journal, url: str, engines: Sequence[str] = ()) -> list[KnownUrl]:
    """Return when these engines last accepted a normalized URL, and its greatest fingerprint."""
    sql = f"""
    SELECT {SPELT}, t.engine, t.kind, max(e.submitted_at), coalesce(max(e.fingerprint), '{REMOVED}')
    FROM targets t JOIN entries e ON e.target = t.id
    WHERE e.url = :url AND e.submitted_at NOTNULL AND {_OF_ENGINES} GROUP BY t.id ORDER BY t.id"""
    rows = journal.connection.execute(sql, {"engines": json.dumps(engines), "url": url})
    return [KnownUrl(*row) for row in rows]


def count_urls(
    journal: Journal, engines: Sequence[str] = (), removing: Sequence[str] = ()
) -> list[Total]:
    """Count recorded items by engine and kind; `removing` are engines that accept removals."""
    values = {"engines": json.dumps(engines), "removing": json.dumps(removing)}
    return [Total(*row) for row in journal.connection.execute(_TOTALS, values)]


def forget_urls(journal: Journal, urls: Sequence[str] | None, engines: Sequence[str] = ()) -> int:
    """
    Delete normalized URLs, or all if None, from the records of engines, even if they are due.

    Returns the number of URLs deleted, summed over engines and kinds.
    """
    where = f"target IN (SELECT t.id FROM targets t WHERE {_OF_ENGINES})"
    values: dict[str, object] = {"engines": json.dumps(engines)}
    if urls is not None:
        where += " AND url IN (SELECT value FROM json_each(:urls))"
        values["urls"] = json.dumps(urls)
    with journal.transaction():
        counted = f"SELECT count(*) FROM (SELECT DISTINCT target, url FROM entries WHERE {where})"
        count: int = journal.connection.execute(counted, values).fetchone()[0]
        journal.connection.execute(f"DELETE FROM entries WHERE {where}", values)
    return count


def forget_set(journal: Journal, names: Collection[str]) -> int:
    """
    Forget the URLs that a source lists, without submitting them as removed; return their number.

    Args:
        names: Possible names of the source: its URL or path. If the journal has none of them, the
            only source whose URL has the file name of a path is used; without a source,
            `UsageError` is raised.

    """
    named = "SELECT id FROM sets WHERE id AND name IN (SELECT value FROM json_each(?))"
    values = (json.dumps(list(names)),)
    if journal.first_value(named, *values) is None and (found := _by_file(journal, names)):
        values = (json.dumps([found]),)
    if journal.first_value(named, *values) is None:
        known = journal.connection.execute("SELECT name FROM sets WHERE id ORDER BY id")
        message = f"unknown source {next(iter(names))!r}; the journal contains"
        raise UsageError(f"{message} {', '.join(name for (name,) in known) or 'none'}")
    with journal.transaction():
        sql = f"UPDATE entries SET may_expire = 1 WHERE set_id IN ({named})"
        journal.connection.execute(sql, values)
        journal.connection.execute(f"UPDATE sets SET digest = NULL WHERE id IN ({named})", values)
        sql = f"DELETE FROM listed WHERE url <> '' AND set_id IN ({named})"
        count = journal.connection.execute(sql, values).rowcount
        sql = f"DELETE FROM listed WHERE set_id IN ({named})"
        journal.connection.execute(sql, values)
        return count


def _by_file(journal: Journal, names: Collection[str]) -> str | None:
    """Return the only source whose URL ends with a file name of these paths; None for URLs."""
    files = {f"/{name.replace(os.sep, '/').rpartition('/')[2]}" for name in names}
    known = journal.connection.execute("SELECT name FROM sets WHERE name LIKE 'http%://%'")
    found = [name for (name,) in known if any(name.endswith(file) for file in files - {"/"})]
    return found[0] if len(found) == 1 and not any("://" in name for name in names) else None


def record_heads(journal: Journal, heads: dict[int, Head], owner: str | None) -> list[int]:
    """
    Record the metadata of sources (`heads`), by set ID.

    Args:
        owner: The site whose settings list exactly these sources; None if the sources are not from
            settings.

    Returns:
        IDs of sets that the settings of the owner no longer list. Their sitemaps and feeds are no
        longer due.

    """
    rows = [(msgspec.json.encode(head).decode(), owner, number) for number, head in heads.items()]
    with journal.transaction():
        journal.connection.executemany(
            "UPDATE sets SET head = ?, owner = coalesce(?, owner) WHERE id = ?", rows
        )
        sql = "SELECT id FROM sets WHERE owner = ?"
        owned = [number for (number,) in journal.connection.execute(sql, (owner,))]
        retired = [number for number in owned if number not in heads]
        sql = (
            "UPDATE entries SET due = NULL WHERE set_id = ? "
            "AND target IN (SELECT id FROM targets WHERE kind <> 'urls')"
        )
        journal.connection.executemany(sql, [(number,) for number in retired])
    return retired


def record_withdrawal(
    journal: Journal, engine: str, sitemap: str, site: str, answer: Answer, now: float
) -> None:
    """Record that a sitemap was withdrawn, so that a later `submit` resends it."""
    target_id = journal.target_id(engine, "sitemaps")
    row = (target_id, authority(site), site, now, answer.status, sitemap)
    with journal.transaction():
        journal.connection.execute(
            "INSERT INTO batches (target, host, site, sent_at, sent, state, status, why) "
            "VALUES (?, ?, ?, ?, 1, 'withdrawn', ?, ?)",
            row,
        )
        sql = "DELETE FROM entries WHERE target = ? AND url = ?"
        journal.connection.execute(sql, (target_id, normalize(sitemap)))


def accepted_url(journal: Journal, target_id: int, site: str, before: float) -> str | None:
    """
    Return the URL of a site that an engine accepted last, up to the time `before`, or None.

    URLs that are due or were refused are not considered.
    """
    sql = f"""
    SELECT {SPELT} FROM entries e
    WHERE target = ? AND url >= ? AND url < ? AND fingerprint NOTNULL AND due IS NULL
    AND refused IS NULL AND submitted_at <= ? AND NOT EXISTS (
        SELECT 1 FROM entries o WHERE o.target = e.target AND o.url = e.url
        AND (o.due NOTNULL OR o.refused NOTNULL OR o.submitted_at > ?))
    ORDER BY submitted_at DESC, url LIMIT 1"""
    found = journal.first_value(sql, target_id, *_site_range(site), before, before)
    return None if found is None else str(found)


def _site_range(site: str) -> tuple[str, str]:
    """Return a range of strings (end exclusive) that contains all URLs of a site."""
    first = normalize(f"{site}/")
    return first, f"{first[:-1]}0"  # in ASCII, 0 follows the slash


def sent_since(journal: Journal, target_id: int, since: float) -> int:
    """Return the number of items sent to an engine since a time, accepted or not."""
    sql = "SELECT coalesce(sum(sent), 0) FROM batches WHERE target = ? AND sent_at >= ?"
    return int(str(journal.first_value(sql, target_id, since)))


def learned_size(journal: Journal, target_id: int, now: float) -> int | None:
    """Return the maximum number of items per request learned in the last 30 days, or None."""
    sql = "SELECT most FROM sizes WHERE target = ? AND learned_at > ?"
    row = journal.connection.execute(sql, (target_id, now - _MONTH)).fetchone()
    return row[0] if row else None


def learn_size(journal: Journal, target_id: int, now: float, most: int) -> None:
    """Record the maximum number of items per request, learned from an engine."""
    with journal.transaction():
        sql = "INSERT OR REPLACE INTO sizes VALUES (?, ?, ?)"
        journal.connection.execute(sql, (target_id, most, now))


def submitted_sites(journal: Journal) -> list[str]:
    rows = journal.connection.execute("SELECT DISTINCT site FROM batches ORDER BY site")
    return [site for (site,) in rows]


class InspectionTotal(NamedTuple):
    """
    Number of pages with the same inspection result.

    Attributes:
        verdict: As in `Inspection`.
        coverage: As in `Inspection`.
        last: Time of the latest of these inspections.

    """

    engine: str
    verdict: str
    coverage: str
    pages: int
    last: float


def record_inspection(
    journal: Journal, engine: str, name: str, inspection: Inspection, now: float
) -> None:
    """Record the inspection of a page; `name` is the property whose quota was used."""
    result = json.dumps(inspection._asdict())
    row = (engine, normalize(inspection.url), name, now, result)
    with journal.transaction():
        sql = "INSERT OR REPLACE INTO inspections VALUES (?, ?, ?, ?, ?)"
        journal.connection.execute(sql, row)


def last_inspection(journal: Journal, engine: str, url: str, since: float) -> Inspection | None:
    """Return the latest inspection of a page since a time, or None."""
    sql = "SELECT result FROM inspections WHERE name = ? AND url = ? AND asked_at >= ?"
    found = journal.first_value(sql, engine, normalize(url), since)
    return None if found is None else Inspection(**json.loads(str(found)))


def used_quota(journal: Journal, engine: str, name: str, since: float) -> int:
    """Count the pages of a property (`name`) that were inspected since a time."""
    sql = "SELECT count(*) FROM inspections WHERE name = ? AND property = ? AND asked_at >= ?"
    return int(str(journal.first_value(sql, engine, name, since)))


def pages_to_inspect(journal: Journal, engine: str, most: int, before: float) -> list[str]:
    """
    Return up to `most` listed pages: those never inspected, then the oldest inspections.

    Pages that were inspected at the time `before`, or later, are skipped.
    """
    values = {"name": engine, "most": most, "before": before}
    return [url for (url,) in journal.connection.execute(_PAGES_TO_INSPECT, values)]


def recorded_inspections(journal: Journal, engines: Sequence[str] = ()) -> list[InspectionTotal]:
    """Count the pages by engine and by the result of their last inspection."""
    rows = journal.connection.execute(_INSPECTION_TOTALS, {"engines": json.dumps(engines)})
    return [InspectionTotal(*row) for row in rows]


class JournalPauses(Pauses):
    """
    Pauses requested by servers, shared with other runs through the journal.

    The journal is read for each request, as another run may record a pause while this run waits.
    """

    def __init__(self, journal: Journal, *, is_obeyed: bool = True) -> None:
        super().__init__(is_obeyed=is_obeyed)
        self._journal = journal

    def stored_pause(self, key: str) -> Pause:
        sql = "SELECT since, seconds, date FROM pauses WHERE server = ?"
        with journal_errors(self._journal.name):
            row = self._journal.connection.execute(sql, (key,)).fetchone()
        return Pause(*row) if row else Pause()

    def store_pause(self, key: str, pause: Pause) -> None:
        self._do("INSERT OR REPLACE INTO pauses VALUES (?, ?, ?, ?)", key, *pause)

    def remove_pause(self, key: str) -> None:
        self._do("DELETE FROM pauses WHERE server = ?", key)

    def copy(self) -> Pauses:
        """Return a copy for other threads; pauses recorded by the copy are not in the journal."""
        copy = Pauses(is_obeyed=self._is_obeyed)
        with journal_errors(self._journal.name):
            sql = "SELECT server, since, seconds, date FROM pauses"
            for key, *row in self._journal.connection.execute(sql).fetchall():
                copy.store_pause(key, Pause(*row))
        return copy

    def _do(self, sql: str, *values: object) -> None:
        with self._journal.transaction():
            self._journal.connection.execute(sql, values)
