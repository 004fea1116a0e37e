"""Questions to the journal: what was sent, and what engines know."""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

from sitemapx.submit.engines.engine import Item, Kind
from sitemapx.submit.journal import RECORD, Journal, Record

__all__ = [
    "Known",
    "Total",
    "forget",
    "history",
    "known_as",
    "pending",
    "refused_at",
    "settled",
    "status",
    "totals",
]

#: Of these engines, or of all if none is named.
_OF_ENGINES = "(:engines = '[]' OR t.engine IN (SELECT value FROM json_each(:engines)))"
_KNOWN = (
    "SELECT e.url, t.engine, t.kind, e.sent_at, coalesce(e.fingerprint, 'removed') "
    "FROM targets t JOIN entries e ON e.target = t.id"
)
_decode = msgspec.msgpack.Decoder(list[Item]).decode


class Known(NamedTuple):
    """What an engine knows of a URL: `removed` stands for that it is no more there."""

    url: str
    engine: str
    kind: Kind
    sent_at: float
    fingerprint: str


class Total(NamedTuple):
    """How many URLs an engine knows, of how many it knows that they are no more, and the rest."""

    engine: str
    kind: Kind
    known: int
    removed: int
    to_retry: int
    last: float | None


def history(journal: Journal, limit: int, engines: Sequence[str] = ()) -> list[Record]:
    """Give the last batches, of these engines or of all, the last one last."""
    sql = f"{RECORD} WHERE {_OF_ENGINES} ORDER BY b.id DESC LIMIT :limit"
    rows = journal.connection.execute(sql, {"engines": json.dumps(engines), "limit": limit})
    return [Record(*row) for row in rows][::-1]


def status(journal: Journal, url: str, engines: Sequence[str] = ()) -> list[Known]:
    """Tell which engines know a URL, and as what."""
    sql = f"{_KNOWN} WHERE e.url = :url AND {_OF_ENGINES} ORDER BY t.id"
    rows = journal.connection.execute(sql, {"engines": json.dumps(engines), "url": url})
    return [Known(*row) for row in rows]


def totals(journal: Journal, engines: Sequence[str] = ()) -> list[Total]:
    """Count what each engine knows."""
    sql = f"""
    SELECT t.id, t.engine, t.kind, coalesce(e.known, 0), coalesce(e.removed, 0),
        (SELECT max(sent_at) FROM batches WHERE target = t.id AND accepted)
    FROM targets t LEFT JOIN (
        SELECT target, count(fingerprint) AS known, count(*) - count(fingerprint) AS removed
        FROM entries GROUP BY target) e ON e.target = t.id
    WHERE {_OF_ENGINES} AND EXISTS (SELECT 1 FROM batches WHERE target = t.id)
    ORDER BY t.id"""  # noqa: S608 (made of constants)
    rows = journal.connection.execute(sql, {"engines": json.dumps(engines)}).fetchall()
    return [
        Total(engine, kind, known, removed, _to_retry(journal, target), last)
        for target, engine, kind, known, removed, last in rows
    ]


def _to_retry(journal: Journal, target: int) -> int:
    """Count what `retry` would send."""
    return sum(map(len, pending(journal, target)))


def known_as(journal: Journal, target: int, url: str) -> Known | None:
    """Tell as what an engine knows a URL; None if it does not."""
    sql = f"{_KNOWN} WHERE t.id = ? AND e.url = ?"
    row = journal.connection.execute(sql, (target, url)).fetchone()
    return Known(*row) if row else None


def refused_at(journal: Journal, target: int, site: str, status: int) -> float | None:
    """Tell when an engine answered so the last time; None if it answered otherwise since then."""
    sql = """SELECT sent_at, status FROM batches WHERE target = ? AND site = ? AND status NOTNULL
    ORDER BY id DESC LIMIT 1"""
    row = journal.connection.execute(sql, (target, site)).fetchone()
    return row[0] if row and row[1] == status else None


def forget(journal: Journal, urls: Sequence[str] | None, engines: Sequence[str] = ()) -> int:
    """Forget that engines know these URLs, or any; tell how many were known."""
    where = f"target IN (SELECT t.id FROM targets t WHERE {_OF_ENGINES})"  # noqa: S608 (constant)
    values: dict[str, object] = {"engines": json.dumps(engines)}
    if urls is not None:
        where += " AND url IN (SELECT value FROM json_each(:urls))"
        values["urls"] = json.dumps(urls)
    with journal.changing():
        sql = f"DELETE FROM entries WHERE {where}"  # noqa: S608 (made of constants)
        return journal.connection.execute(sql, values).rowcount


def pending(journal: Journal, target: int) -> Iterator[Sequence[Item]]:
    """
    Give what an engine was sent and did not accept, the last batch first, and each URL once.

    What it was told of successfully since then is left out.
    """
    ids = journal.connection.execute(
        "SELECT id, sent_at FROM batches WHERE target = ? AND items NOTNULL ORDER BY id DESC",
        (target,),
    ).fetchall()
    seen: set[str] = set()
    told = "SELECT 1 FROM entries WHERE target = ? AND url = ? AND sent_at >= ?"
    for number, sent_at in ids:
        data = journal.value("SELECT items FROM batches WHERE id = ?", number)
        if isinstance(data, bytes):
            items = [one for one in _decode(data) if one.url not in seen]
            seen.update(one.url for one in items)
            yield [one for one in items if not journal.value(told, target, one.url, sent_at)]


def settled(
    journal: Journal, target: int, before: int, sites: Collection[str], set_id: int | None = None
) -> None:
    """
    Let go what was sent and not accepted, now that it was offered again.

    Args:
        before: Batches from this number on are kept.
        sites: What is of those is kept, too: it was not offered.
        set_id: Whether only batches of a set are meant.

    """
    with journal.changing():
        journal.connection.execute(
            "UPDATE batches SET items = NULL WHERE target = ? AND id < ? AND items NOTNULL "
            "AND site NOT IN (SELECT value FROM json_each(?)) AND (? IS NULL OR set_id = ?)",
            (target, before, json.dumps(list(sites)), set_id, set_id),
        )
