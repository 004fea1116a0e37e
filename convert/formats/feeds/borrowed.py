"""What items of feeds take from the news and the video of their entries."""

from msgspec.structs import replace

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry

__all__ = ["with_borrowed"]


def with_borrowed(batch: Batch) -> Batch:
    """Fill in missing titles, dates and languages from the news, and titles from the only video."""
    counts = batch.field_counts()
    if not (counts.get("news") or counts.get("videos")):
        return batch
    return Batch(list(map(_with_borrowed, batch.entries)))


def _with_borrowed(entry: Entry) -> Entry:
    news = entry.news
    title = entry.title or (news and news.title)
    if not title and len(entry.videos) == 1:
        title = entry.videos[0].title
    if news is None:
        return replace(entry, title=title)
    return replace(
        entry,
        title=title,
        published=entry.published or news.publication_date,
        language=entry.language or (news.publication and news.publication.language),
    )
