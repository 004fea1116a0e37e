"""Questions to the journal: what was sent, and what engines know."""

import json
import os
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sitemapx.convert.model.document import Head
from sitemapx.convert.values.uris import normal
from sitemapx.convert.values.urls import authority
from sitemapx.errors import UsageError
from sitemapx.submit.engines.engine import ItemKind
from sitemapx.submit.engines.exchange import Answer
from sitemapx.submit.journal.journal import RECORD, REMOVED, Journal, Record
from sitemapx.submit.journal.listing import IS_UNKNOWN, SPELT

__all__ = [
    "KnownUrl",
    "Total",
    "accepted_url",
    "forget",
    "forget_set",
    "history",
    "learn_size",
    "learned_size",
    "record_heads",
    "record_withdrawal",
    "sent_since",
    "sites",
    "status",
    "totals",
]

#: After so many seconds, the documented size of batches is tried again.
_MONTH = 30 * 24 * 60 * 60
#: Of these engines, or of all if none is named.
_OF_ENGINES = "(:engines = '[]' OR t.engine IN (SELECT value FROM json_each(:engines)))"
#: A removal that an engine wants to know and was not told.
_MISSING = f"""
t.kind = 'urls' AND t.engine IN (SELECT value FROM json_each(:removing))
AND NOT e.rolls AND NOT {IS_UNKNOWN} AND EXISTS (
    SELECT 1 FROM entries k WHERE k.target = t.id AND k.url = e.url AND k.fingerprint NOTNULL)
AND NOT EXISTS (
    SELECT 1 FROM sets s CROSS JOIN listed l WHERE l.set_id = s.id AND l.url = e.url)"""  # noqa: S608 (made of constants)
_KEY = "CASE WHEN {} THEN e.url END"
_TOTALS = f"""
SELECT t.engine, t.kind, count(DISTINCT {_KEY.format("e.fingerprint NOTNULL")}),
    count({_KEY.format("e.fingerprint IS NULL AND e.told_at NOTNULL AND e.set_id = 0")}),
    count(DISTINCT {_KEY.format(f"e.due NOTNULL OR e.refused NOTNULL OR {_MISSING}")}),
    (SELECT max(sent_at) FROM batches WHERE target = t.id AND accepted)
FROM targets t LEFT JOIN entries e ON e.target = t.id
WHERE {_OF_ENGINES} AND (
    e.target NOTNULL OR EXISTS (SELECT 1 FROM batches WHERE target = t.id))
GROUP BY t.id ORDER BY t.id
"""  # noqa: S608 (made of constants)


class KnownUrl(NamedTuple):
    """The state of a URL at an engine: `removed` stands for that it is gone."""

    url: str
    engine: str
    kind: ItemKind
    sent_at: float
    fingerprint: str


class Total(NamedTuple):
    """The totals of an engine: the URLs that it knows, those known as gone, and the rest."""

    engine: str
    kind: ItemKind
    known: int
    removed: int
    to_retry: int
    last: float | None


def history(journal: Journal, limit: int, engines: Sequence[str] = ()) -> list[Record]:
    """Return the last batches, of these engines or of all, the last one last."""
    sql = f"{RECORD} WHERE {_OF_ENGINES} ORDER BY b.id DESC LIMIT :limit"
    rows = journal.connection.execute(sql, {"engines": json.dumps(engines), "limit": limit})
    return [Record(*row) for row in rows][::-1]


def status(journal: Journal, url: str, engines: Sequence[str] = ()) -> list[KnownUrl]:
    """Return which engines know a URL, and as what."""
    sql = f"""
    SELECT {SPELT}, t.engine, t.kind, max(e.told_at), coalesce(max(e.fingerprint), '{REMOVED}')
    FROM targets t JOIN entries e ON e.target = t.id
    WHERE e.url = :url AND e.told_at NOTNULL AND {_OF_ENGINES} GROUP BY t.id ORDER BY t.id"""  # noqa: S608
    rows = journal.connection.execute(sql, {"engines": json.dumps(engines), "url": url})
    return [KnownUrl(*row) for row in rows]


def totals(
    journal: Journal, engines: Sequence[str] = (), removing: Sequence[str] = ()
) -> list[Total]:
    """
    Count what each engine knows.

    Args:
        removing: The engines that want to know what was removed.

    """
    values = {"engines": json.dumps(engines), "removing": json.dumps(removing)}
    return [Total(*row) for row in journal.connection.execute(_TOTALS, values)]


def forget(journal: Journal, urls: Sequence[str] | None, engines: Sequence[str] = ()) -> int:
    """Forget what engines know of these URLs, or of any, and what is due; tell of how many."""
    where = f"target IN (SELECT t.id FROM targets t WHERE {_OF_ENGINES})"  # noqa: S608 (constant)
    values: dict[str, object] = {"engines": json.dumps(engines)}
    if urls is not None:
        where += " AND url IN (SELECT value FROM json_each(:urls))"
        values["urls"] = json.dumps(urls)
    with journal.changing():
        counted = f"SELECT count(*) FROM (SELECT DISTINCT target, url FROM entries WHERE {where})"  # noqa: S608
        count: int = journal.connection.execute(counted, values).fetchone()[0]
        journal.connection.execute(f"DELETE FROM entries WHERE {where}", values)  # noqa: S608
    return count


def forget_set(journal: Journal, names: Collection[str]) -> int:
    """
    Forget that a source lists anything; tell how many URLs it listed.

    Nothing counts as removed because of that.

    Args:
        names: What the source may be called: its address, or its path. Without a source of that
            name, the only one whose address ends with the name of the file is taken.

    Raises:
        UsageError: If there is no such source.

    """
    named = "SELECT id FROM sets WHERE id AND name IN (SELECT value FROM json_each(?))"
    values = (json.dumps(list(names)),)
    if journal.value(named, *values) is None and (found := _by_file(journal, names)):
        values = (json.dumps([found]),)
    if journal.value(named, *values) is None:
        known = journal.connection.execute("SELECT name FROM sets WHERE id ORDER BY id")
        message = f"unknown source {next(iter(names))!r}; the journal contains"
        raise UsageError(f"{message} {', '.join(name for (name,) in known) or 'none'}")
    with journal.changing():
        sql = f"UPDATE entries SET rolls = 1 WHERE set_id IN ({named})"  # noqa: S608 (constants)
        journal.connection.execute(sql, values)
        journal.connection.execute(f"UPDATE sets SET digest = NULL WHERE id IN ({named})", values)  # noqa: S608 (constants)
        sql = f"DELETE FROM listed WHERE url <> '' AND set_id IN ({named})"  # noqa: S608 (constants)
        count = journal.connection.execute(sql, values).rowcount
        sql = f"DELETE FROM listed WHERE set_id IN ({named})"  # noqa: S608 (made of constants)
        journal.connection.execute(sql, values)
        return count


def _by_file(journal: Journal, names: Collection[str]) -> str | None:
    """Find the only source that is published under the name of one of these files."""
    files = {f"/{name.replace(os.sep, '/').rpartition('/')[2]}" for name in names}
    known = journal.connection.execute("SELECT name FROM sets WHERE name LIKE 'http%://%'")
    found = [name for (name,) in known if any(name.endswith(file) for file in files - {"/"})]
    return found[0] if len(found) == 1 and not any("://" in name for name in names) else None


def record_heads(journal: Journal, heads: dict[int, Head], owner: str | None) -> list[int]:
    """
    Record what sources are.

    Args:
        heads: What each says about itself, by the numbers of their sets.
        owner: The site whose settings name exactly these sources; None if there is none.

    Returns:
        The sets that these settings named before, and name no longer.

    """
    from msgspec.json import encode

    rows = [(encode(head).decode(), owner, number) for number, head in heads.items()]
    with journal.changing():
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
    """Record that a sitemap was withdrawn; the next `submit` sends it again if it is named."""
    target = journal.target(engine, "sitemaps")
    row = (target, authority(site), site, now, answer.status, sitemap)
    with journal.changing():
        journal.connection.execute(
            "INSERT INTO batches (target, host, site, sent_at, sent, state, status, why) "
            "VALUES (?, ?, ?, ?, 1, 'withdrawn', ?, ?)",
            row,
        )
        sql = "DELETE FROM entries WHERE target = ? AND url = ?"
        journal.connection.execute(sql, (target, normal(sitemap)))


def accepted_url(journal: Journal, target: int, site: str, before: float) -> str | None:
    """Return a URL of a site that an engine accepted last before a time, and that is not due."""
    sql = f"""
    SELECT {SPELT} FROM entries e
    WHERE target = ? AND url >= ? AND url < ? AND fingerprint NOTNULL AND due IS NULL
    AND refused IS NULL AND told_at <= ? AND NOT EXISTS (
        SELECT 1 FROM entries o WHERE o.target = e.target AND o.url = e.url
        AND (o.due NOTNULL OR o.refused NOTNULL OR o.told_at > ?))
    ORDER BY told_at DESC, url LIMIT 1"""  # noqa: S608 (made of constants)
    found = journal.value(sql, target, *_site_range(site), before, before)
    return None if found is None else str(found)


def _site_range(site: str) -> tuple[str, str]:
    """Return the first URL of a site, and a text that follows all of its URLs."""
    first = normal(f"{site}/")
    return first, f"{first[:-1]}0"  # the digit 0 follows the slash


def sent_since(journal: Journal, target: int, since: float) -> int:
    """Return how many items were sent to an engine since a time."""
    sql = "SELECT coalesce(sum(sent), 0) FROM batches WHERE target = ? AND sent_at >= ?"
    return int(str(journal.value(sql, target, since)))


def learned_size(journal: Journal, target: int, now: float) -> int | None:
    """Return how many items a search engine takes at once, if it said so within a month."""
    sql = "SELECT most FROM sizes WHERE target = ? AND learned_at > ?"
    row = journal.connection.execute(sql, (target, now - _MONTH)).fetchone()
    return row[0] if row else None


def learn_size(journal: Journal, target: int, now: float, most: int) -> None:
    """Record how many items a search engine takes at once."""
    with journal.changing():
        sql = "INSERT OR REPLACE INTO sizes VALUES (?, ?, ?)"
        journal.connection.execute(sql, (target, most, now))


def sites(journal: Journal) -> list[str]:
    """Return the sites of which something was submitted, in order."""
    rows = journal.connection.execute("SELECT DISTINCT site FROM batches ORDER BY site")
    return [site for (site,) in rows]
