"""Images, videos and articles of Google's extensions, beyond what the reader sees."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import ClassVar, NamedTuple

from sitemapx.check.api import Check, CheckContext, Entries, File
from sitemapx.check.findings import Rule
from sitemapx.check.positions import Position
from sitemapx.check.rules.dates import is_placeholder
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry, Image, News, Video, has
from sitemapx.convert.values import clock, uris, urls, w3cdate
from sitemapx.convert.values.isocodes import is_country, is_language, news_language

__all__ = ["Extensions"]

_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/sitemaps"
_VIDEO, _NEWS, _IMAGE = (
    f"{_GOOGLE}/{name}" for name in ("video-sitemaps", "news-sitemap", "image-sitemaps")
)
_DEPRECATED = "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions"
#: The prefix of each model, and fields of it that Google no longer reads.
_OLD: dict[type[Image | Video | News], tuple[str, tuple[str, ...]]] = {
    Image: ("image", ("title", "caption", "geo_location", "license")),
    Video: (
        "video",
        (
            *("category", "gallery_loc", "gallery_title", "prices", "tvshow"),
            *("player_allow_embed", "player_autoplay", "content_segments", "ids"),
        ),
    ),
    News: ("news", ("access", "genres", "keywords", "stock_tickers")),
}
_MOST_NEWS = 1000
_NEWS_AGE = timedelta(days=2)
_MOST_SECONDS = 28_800
#: Endings of what is no video.
_NO_VIDEOS = (".htm", ".html", ".swf")


class _OldField(NamedTuple):
    """A field that is no longer read: how often it is there, and the first entry that has it."""

    name: str
    number: int
    at: int
    loc: str | None


class Extensions(Check):
    """Looks at images, videos and news."""

    more = ("bad-duration", "date-in-future", "date-placeholder")
    rules: ClassVar = {
        "video-without-file": Rule(
            "error",
            "Video has neither content_loc nor player_loc",
            "Google needs content_loc or player_loc to find the video.",
            _VIDEO,
            "Add video:content_loc, the URL of the file, or video:player_loc.",
        ),
        "video-is-page": Rule(
            "error",
            "Video URL is the page itself",
            "content_loc and player_loc must differ from loc.",
            _VIDEO,
            "Write the URL of the media file, or of the player in the page.",
        ),
        "video-expired": Rule(
            "warning",
            "Video has expired",
            "Google does not show a video after its expiration_date.",
            _VIDEO,
            "Remove the video, or set a later expiration_date.",
        ),
        "video-uploader": Rule(
            "warning",
            "Uploader page on another domain",
            "The URL in video:uploader must be on the domain of loc.",
            _VIDEO,
            "Omit the attribute info of video:uploader, or use a page of this site.",
        ),
        "asset-url": Rule(
            "error",
            "Media URL is not absolute",
            "Search engines do not resolve relative URLs.",
            _IMAGE,
            "Write the absolute URL; --fix does this with --source-url.",
            is_fixable=True,
        ),
        "video-format": Rule(
            "warning",
            "Video file is a web page or Flash",
            "content_loc must be the video file itself; Google supports neither HTML nor Flash "
            "there.",
            _VIDEO,
            "Write the URL of the media file, or the URL of a page with a player as player_loc.",
        ),
        "news-text": Rule(
            "warning",
            "Disallowed text in news name or title",
            "The name must not contain text in parentheses, nor the title the name of the "
            "publication.",
            _NEWS,
            "Remove the parentheses from the name, or the name of the publication from the title.",
        ),
        "video-country": Rule(
            "warning",
            "Invalid country code for video",
            "Countries must be two-letter ISO 3166-1 codes; others have no effect.",
            _VIDEO,
            "Write the code of the country, such as GB.",
        ),
        "deprecated": Rule(
            "note",
            "Deprecated element",
            "It has had no effect since 6 August 2022, or is no longer documented.",
            _DEPRECATED,
            "Remove the element.",
        ),
        "news-too-many": Rule(
            "error",
            "More than 1,000 news articles in one sitemap",
            "Google accepts up to 1,000 news:news elements per file.",
            _NEWS,
            "Split the file; --fix, or convert with --base-url, writes a set with an index.",
            is_fixable=True,
        ),
        "news-too-old": Rule(
            "warning",
            "News article older than two days",
            "A news sitemap is for articles of the last two days.",
            _NEWS,
            "Remove the URL, or its news:news element.",
        ),
        "news-language": Rule(
            "error",
            "Invalid news language code",
            "It must be an ISO 639 code of two or three letters, or zh-cn or zh-tw.",
            _NEWS,
            "Write an ISO 639 code in lower case, such as en.",
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._now = w3cdate.moment(clock.now())

    def begin(self, file: File) -> None:
        """Begin to count."""
        self._is_feed = file.is_feed
        self._news = 0
        self._old: dict[str, tuple[int, Position, str | None]] = {}

    def inspect(self, batch: Batch, entries: Entries) -> tuple[int, list[_OldField]] | None:
        """Look at the entries that have any of these."""
        field_counts = batch.field_counts()
        if field_counts.keys().isdisjoint(("images", "videos", "news", "mobile")):
            return None
        old: dict[str, list[int]] = {}
        for at, entry in enumerate(batch.entries):
            for name in self._old_names(entry):
                old.setdefault(name, []).append(at)
            for code, message, text in self._wrong(entry):
                entries.report(code, message, at=at, text=text)
        locs = batch.locs()
        found = [_OldField(name, len(at), at[0], locs[at[0]] or None) for name, at in old.items()]
        return field_counts.get("news", 0), found

    def take(self, inspected: tuple[int, list[_OldField]], file: File) -> None:
        """Count articles, and what is old; the first of its name is shown."""
        articles, old = inspected
        self._news += articles
        for name, number, at, loc in old:
            count, position, first = self._old.get(name) or (0, file.position_of(at), loc)
            self._old[name] = count + number, position, first

    def _wrong(self, entry: Entry) -> Iterator[tuple[str, str, str]]:
        """Find what is wrong with an entry: a code, a message, and the text that is meant."""
        for video in entry.videos:
            yield from self._video(video, entry.loc or "")
        if entry.news:
            yield from self._article(entry.news)
        for url in _assets(entry):
            if not urls.is_absolute(url):
                yield "asset-url", f"media URL is not absolute: {url!r}", url

    def _video(self, video: Video, loc: str) -> Iterator[tuple[str, str, str]]:
        """Find what is wrong with a video: a code, a message, and the text that is meant."""
        if not (video.content_loc or video.player_loc):
            yield "video-without-file", "video has neither content_loc nor player_loc", ""
        for name in ("content_loc", "player_loc"):
            if loc and getattr(video, name) == loc:
                yield "video-is-page", f"{name} is the page itself", name
        path = uris.canonical(video.content_loc or "").partition("?")[0].lower()
        if path.endswith(_NO_VIDEOS):
            yield (
                "video-format",
                f"content_loc is not a video file: {video.content_loc}",
                "content_loc",
            )
        if date := video.publication_date:
            yield from self._publication(date)
        if video.duration == 0:
            yield (
                "bad-duration",
                f"duration is 0 seconds (expected 1 to {_MOST_SECONDS:,})",
                "duration",
            )
        if (date := video.expiration_date) and w3cdate.moment(date) < self._now:
            yield "video-expired", f"video expired on {date}", date
        if video.restriction:
            for country in video.restriction.countries:
                if not is_country(country.upper()):
                    yield "video-country", f"invalid country code {country!r}", country
        if video.uploader and (info := video.uploader.info) and urls.is_absolute(info):
            site, theirs = urls.host(loc).removeprefix("www."), urls.host(info)
            if not f".{theirs}".endswith(f".{site}"):
                yield (
                    "video-uploader",
                    f"uploader page is on {theirs or repr(info)}, the video on {urls.host(loc)}",
                    info,
                )

    def _publication(self, date: str) -> Iterator[tuple[str, str, str]]:
        if w3cdate.moment(date) > self._now:
            yield "date-in-future", f"publication_date {date} is in the future", date
        if is_placeholder(date):
            yield "date-placeholder", f"publication_date {date} is a placeholder", date

    def _article(self, news: News) -> Iterator[tuple[str, str, str]]:
        """Find what is wrong with an article."""
        date = news.publication_date
        if date and self._now - w3cdate.moment(date) > _NEWS_AGE + timedelta(days=len(date) <= 10):
            yield "news-too-old", f"article is older than two days (published on {date})", date
        if date:
            yield from self._publication(date)
        name = (news.publication and news.publication.name) or ""
        if "(" in name:
            yield "news-text", f"publication name {name!r} contains parentheses", name
        if name and re.search(rf"(?i)[-\u2013\u2014|:,]\s*{re.escape(name)}\b", news.title or ""):
            yield "news-text", f"title {news.title!r} contains the name of the publication", "title"
        language = news.publication and news.publication.language
        code = language and news_language(language)
        if language and not (code and is_language(code[:3].rstrip("-"))):
            yield "news-language", f"invalid language code {language!r}", language

    def _old_names(self, entry: Entry) -> Iterator[str]:
        """Name the fields of an entry that are old."""
        if not self._is_feed:
            news = (entry.news,) if entry.news else ()
            for model in (*entry.images, *entry.videos, *news):
                prefix, fields = _OLD[type(model)]
                for field in fields:
                    if has(getattr(model, field)):
                        yield f"{prefix}:{field}"
        if entry.mobile:
            yield "<mobile:mobile>"

    def end(self, file: File) -> None:
        """Report what was counted."""
        for name, (count, position, loc) in self._old.items():
            times_ = f" ({count:,} times)" if count > 1 else ""
            file.report_at(position, "deprecated", f"{name} is deprecated{times_}", loc=loc)
        if self._news > _MOST_NEWS:
            file.report("news-too-many", f"{self._news:,} articles (limit {_MOST_NEWS:,})")


def _assets(entry: Entry) -> Iterator[str]:
    """Return the addresses of pictures and films that are there."""
    for image in entry.images:
        yield from filter(None, (image.loc, image.license))
    for video in entry.videos:
        yield from filter(None, (video.thumbnail_loc, video.content_loc, video.player_loc))
