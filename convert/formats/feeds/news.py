"""What feeds take from the data for Google News."""

from msgspec.structs import replace

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry

__all__ = ["with_news"]


def with_news(batch: Batch) -> Batch:
    """Return a batch whose entries have title, date and language, if their news does."""
    if not batch.field_counts().get("news"):
        return batch
    return Batch(list(map(_with_news, batch.entries)))


def _with_news(entry: Entry) -> Entry:
    news = entry.news
    if news is None:
        return entry
    return replace(
        entry,
        title=entry.title or news.title,
        published=entry.published or news.publication_date,
        language=entry.language or (news.publication and news.publication.language),
    )
