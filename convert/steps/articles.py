"""Step that converts articles to news, as Google News requires."""

from collections.abc import Iterator
from datetime import timedelta

from msgspec.structs import replace

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import News, Publication
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.steps.step import Step
from sitemapx.convert.values.clock import now, since_test
from sitemapx.convert.values.isocodes import news_language
from sitemapx.convert.values.w3cdate import moment
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import UsageError
from sitemapx.optionnames import option


def news(publication: str, *, days: int | None = 2, language: str | None = None) -> Step:
    """
    Fill `news` of each entry from its title, date of publication and language.

    Existing values in `news` are kept. Entries without a title, date of publication or language are
    skipped and reported. Unless `days` is None, entries dated more than a day ahead are skipped and
    reported, too, and entries older than `days` are skipped.

    Args:
        publication: Name of the publication, exactly as on news.google.com.
        days: Maximum age of articles in days; None for any age. Google requires 2.
        language: Language code for entries if neither they nor their feed state a language.

    Raises:
        UsageError: If the name is empty, the days are not positive, or the language is not a
            language code.

    """
    if not publication.strip():
        raise UsageError("name of the publication is empty")
    if days is not None and days < 1:
        raise UsageError(f"invalid number of days {days}: expected 1 or more")
    other = news_language(language) if language else None
    if language and other is None:
        raise UsageError(f"invalid language {language!r}: expected a language code such as en")

    is_any_old = False

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        nonlocal is_any_old
        maker = _NewsMaker(publication.strip(), other, days, reporter)
        for batch in batches:
            columns = map(batch.column, ("news", "title", "published", "language", "loc"))
            column = [maker.complete_news(*values) for values in zip(*columns, strict=True)]
            if selected := batch.with_column("news", column).select(column):
                yield selected
        is_any_old = maker.is_any_old

    copied = ("title", "published", "language")

    def why_empty() -> str:
        if not (days and is_any_old):
            return ""
        age = f"the last {pluralize(days, 'day')}" if days > 1 else "the last day"
        return f"no articles of {age}; keep older ones with {option('news_days')}"

    return Step(
        "news",
        run,
        {"loc", "news", *copied},
        drops=copied,
        inherits=("language",),
        why_empty=why_empty,
    )


class _NewsMaker:
    def __init__(
        self, publication: str, language: str | None, days: int | None, reporter: Reporter
    ) -> None:
        self._publication = publication
        self._language = language
        self._is_recent = since_test(f"{days}d") if days else None
        # in any time zone, an article dated more than a day ahead is not published yet
        tomorrow = moment(now()) + timedelta(days=1)
        self._is_ahead = since_test(tomorrow.isoformat()) if days else None
        self._reporter = reporter
        self.is_any_old = False

    def complete_news(
        self,
        own: News | None,
        title: str | None,
        published: str | None,
        language: str | None,
        loc: str | None,
    ) -> News | None:
        """Complete the news of an entry (`own`) from its other fields; None if it is skipped."""
        own = own or News()
        stated = own.publication or Publication()
        code = stated.language or (language and news_language(language)) or self._language
        date, title = own.publication_date or published, own.title or title
        if not date:
            self._skip("undated", "entry has no publication date", loc)
        elif self._is_recent and not self._is_recent(date):
            self.is_any_old = True
        elif self._is_ahead and self._is_ahead(date):
            self._skip("skipped-page", "article is not published yet", loc)
        elif not title:
            self._skip("missing-element", "entry has no title", loc)
        elif not code:
            self._skip("missing-element", f"entry has no language (pass {option('language')})", loc)
        else:
            publication = Publication(name=stated.name or self._publication, language=code)
            return replace(own, publication=publication, publication_date=date, title=title)
        return None

    def _skip(self, code: str, message: str, loc: str | None) -> None:
        self._reporter.tally(code, message, done="; skipped", loc=loc)
