"""Inspections of pages in the journal: the last result of each, and the quota that they used."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from sitemapx.convert.values.uris import normal
from sitemapx.submit.engines.reports import Inspection
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.journal.listing import SPELT

__all__ = [
    "InspectionTotal",
    "last_inspection",
    "pages_to_inspect",
    "record_inspection",
    "recorded_inspections",
    "used_quota",
]

#: Pages that were never inspected come first, of those the ones that were submitted last.
_PAGES = f"""
SELECT {SPELT.replace("e.url", "p.url")} FROM (SELECT DISTINCT url FROM main.listed) p
LEFT JOIN inspections i ON i.name = :name AND i.url = p.url
WHERE p.url <> '' AND (i.asked_at IS NULL OR i.asked_at < :before)
ORDER BY i.asked_at NULLS FIRST, (
    SELECT max(e.told_at) FROM targets t CROSS JOIN entries e
    WHERE t.kind = 'urls' AND e.target = t.id AND e.url = p.url) DESC, p.url
LIMIT :most
"""  # noqa: S608 (made of constants)
_TOTALS = """
SELECT name, json_extract(result, '$.verdict'), json_extract(result, '$.coverage'),
    count(*), max(asked_at)
FROM inspections
WHERE :engines = '[]' OR name IN (SELECT value FROM json_each(:engines))
GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 2, 3
"""


class InspectionTotal(NamedTuple):
    """
    Pages of which a search engine says the same.

    Attributes:
        engine: Name of the search engine.
        verdict: Whether they are in the index, in its words.
        coverage: Explanation of the verdict.
        pages: Number of pages.
        last: When the last of them was inspected, in seconds since 1970.

    """

    engine: str
    verdict: str
    coverage: str
    pages: int
    last: float


def record_inspection(
    journal: Journal, engine: str, name: str, inspection: Inspection, now: float
) -> None:
    """
    Record what an engine said about a page.

    Args:
        name: The property whose quota it counted against.

    """
    result = json.dumps(inspection._asdict())
    row = (engine, normal(inspection.url), name, now, result)
    with journal.changing():
        sql = "INSERT OR REPLACE INTO inspections VALUES (?, ?, ?, ?, ?)"
        journal.connection.execute(sql, row)


def last_inspection(journal: Journal, engine: str, url: str, since: float) -> Inspection | None:
    """Return what an engine said about a page since a time; None if it was not asked."""
    sql = "SELECT result FROM inspections WHERE name = ? AND url = ? AND asked_at >= ?"
    found = journal.value(sql, engine, normal(url), since)
    return None if found is None else Inspection(**json.loads(str(found)))


def used_quota(journal: Journal, engine: str, name: str, since: float) -> int:
    """Count the pages of a property that were inspected since a time."""
    sql = "SELECT count(*) FROM inspections WHERE name = ? AND property = ? AND asked_at >= ?"
    return int(str(journal.value(sql, engine, name, since)))


def pages_to_inspect(journal: Journal, engine: str, most: int, before: float) -> list[str]:
    """
    Choose pages that sitemaps list: those that were never inspected, then the oldest inspections.

    Args:
        most: How many to choose.
        before: Pages that were inspected since then are skipped.

    """
    values = {"name": engine, "most": most, "before": before}
    return [url for (url,) in journal.connection.execute(_PAGES, values)]


def recorded_inspections(journal: Journal, engines: Sequence[str] = ()) -> list[InspectionTotal]:
    """Return the results of the last inspections by these engines, or by all, counted."""
    rows = journal.connection.execute(_TOTALS, {"engines": json.dumps(engines)})
    return [InspectionTotal(*row) for row in rows]
