"""Due items in the order of their dates: where only some can be sent, the newest ones are."""

from collections.abc import Collection, Iterator

from sitemapx.convert.values import urls
from sitemapx.submit.engines.engine import SubmissionBatch, SubmissionItem
from sitemapx.submit.journal.due import DATES, OF_SETS, SELECTED, by_site, set_numbers
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.journal.listing import IS_FREE, SPELT

__all__ = ["newest_batches"]

#: What has no date comes last: fingerprints of contents say nothing of when.
_RANK = f"""
INSERT INTO now.newest (url)
SELECT url FROM main.entries e
WHERE target = :target AND due NOTNULL AND {OF_SETS} AND {IS_FREE} {{selected}}
GROUP BY url
ORDER BY max(CASE WHEN length(due) IN {DATES} THEN due ELSE '' END) DESC, url
"""  # noqa: S608 (made of constants)
_NEXT = f"""
SELECT url, {SPELT}, rank FROM now.newest e WHERE rank > :after ORDER BY rank LIMIT :most
"""  # noqa: S608


def newest_batches(
    journal: Journal,
    target: int,
    size: int,
    sets: Collection[int] | None,
    *,
    selected_only: bool,
) -> Iterator[SubmissionBatch]:
    """
    Yield the due URLs of an engine in batches of one site each, the newest first.

    Args:
        journal: The journal.
        target: The engine and the kind, as the journal numbers them.
        size: How many items a batch may have.
        sets: Only what is due because of these sets; None for all.
        selected_only: Whether to skip what is listed, but not selected.

    """
    connection = journal.connection
    connection.execute("DELETE FROM now.newest")
    values = {"target": target, "sets": set_numbers(sets)}
    connection.execute(_RANK.replace("{selected}", SELECTED if selected_only else ""), values)
    after = 0
    while rows := connection.execute(_NEXT, {"after": after, "most": size}).fetchall():
        after = rows[-1][-1]
        for site, some in by_site(sorted(rows, key=lambda row: urls.site(row[0]))):
            items = [SubmissionItem(spelt) for _, spelt, _ in some]
            yield SubmissionBatch("urls", urls.authority(site), site, items)
