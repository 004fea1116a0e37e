"""Rules for Google's extensions (images, videos, news), in addition to those of the reader."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import ClassVar, NamedTuple

from sitemapx.check.api import BatchResult, Check
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.rules.dates import is_placeholder
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File, FileExtent
from sitemapx.convert.model.entry import Entry, Image, News, Video, has
from sitemapx.convert.values import uris, urls, w3cdate
from sitemapx.convert.values.isocodes import is_country, is_language, news_language
from sitemapx.convert.values.words import pluralize

_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/sitemaps"
_VIDEO, _NEWS, _IMAGE = (
    f"{_GOOGLE}/{name}" for name in ("video-sitemaps", "news-sitemap", "image-sitemaps")
)
_DEPRECATED = "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions"
#: The prefix of each model, and the fields that Google no longer reads.
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
#: Endings of files that are not videos.
_NO_VIDEOS = (".htm", ".html", ".swf")


class _Uses(NamedTuple):
    """Number of uses of a deprecated field, and the index of the first entry that uses it."""

    entries: int
    first: int


class _Extras(NamedTuple):
    """Number of news articles in a batch, and uses of deprecated fields, by field name."""

    articles: int
    deprecated: Mapping[str, _Uses]


class Extensions(Check):
    """Checks the elements of image, video and news extensions."""

    other_codes = ("bad-duration", "date-in-future", "date-placeholder")
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
        "image-repeated": Rule(
            "note",
            "Image listed twice for one page",
            "The second element says nothing new, and counts towards the limit of 1,000 images per "
            "page.",
            _IMAGE,
            "List each image once per page.",
        ),
        "deprecated": Rule(
            "note",
            "Deprecated element",
            "It has had no effect since 6 August 2022, is no longer documented, or was replaced.",
            _DEPRECATED,
            "Remove the element, or use its replacement.",
            is_summary=True,
        ),
        "news-too-many": Rule(
            "error",
            "More than 1,000 news articles in one sitemap",
            "Google accepts up to 1,000 news:news elements per file.",
            _NEWS,
            "Split the file; --fix, or convert with --base-url, writes a set with an index.",
            is_fixable=True,
        ),
        "news-mixed": Rule(
            "note",
            "News and other pages in one sitemap",
            "Google accepts this; but a sitemap just for news articles may enable better tracking "
            "in Search Console.",
            _NEWS,
            "Move the articles to a sitemap of their own; convert --group-by kind does this.",
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

    @cached_property
    def _now(self) -> datetime:
        return w3cdate.moment(self.context.now)

    def begin_file(self, file: File) -> None:
        self._articles = 0
        self._deprecated: dict[str, RawFinding] = {}
        self._counts: Counter[str] = Counter()

    def check_batch(self, view: BatchView) -> BatchResult:
        counts = view.batch.field_counts()
        if counts.keys().isdisjoint(("images", "videos", "news", "mobile")):
            return BatchResult()
        uses: dict[str, _Uses] = {}
        findings: list[RawFinding] = []
        for at, entry in enumerate(view.batch.entries):
            for name in _deprecated_names(entry, is_feed=view.file.is_feed):
                count, first = uses.get(name) or (0, at)
                uses[name] = _Uses(count + 1, first)
            for code, message, text in self._errors(entry):
                findings.append(view.urls.finding(code, message, at, text))
            if len(entry.images) > 1 and not view.file.is_feed:
                for message, url in _repeated_images(entry.images):
                    findings.append(view.urls.finding("image-repeated", message, at, url))
        return BatchResult(findings, _Extras(counts.get("news", 0), uses))

    def merge(self, partial: _Extras | None, batch: IndexedBatch, file: File) -> None:
        if partial:
            self._articles += partial.articles
            for name, (count, first) in partial.deprecated.items():
                if name not in self._deprecated:
                    position, loc = batch.urls.position_of(first), batch.urls.locs[first] or None
                    self._deprecated[name] = RawFinding("deprecated", "", position, loc)
                self._counts[name] += count

    def _errors(self, entry: Entry) -> Iterator[tuple[str, str, str]]:
        """Yield a code, a message and the text to locate for each error in an entry."""
        for video in entry.videos:
            yield from self._video(video, entry.loc or "")
        if entry.news:
            yield from self._article(entry.news)
        for url in _assets(entry):
            if not urls.is_absolute(url):
                yield "asset-url", f"media URL is not absolute: {url!r}", url

    def _video(self, video: Video, loc: str) -> Iterator[tuple[str, str, str]]:
        """Yield the errors in a video, like `_errors`."""
        if not (video.content_loc or video.player_loc):
            yield "video-without-file", "video has neither content_loc nor player_loc", ""
        for name in ("content_loc", "player_loc"):
            if loc and getattr(video, name) == loc:
                yield "video-is-page", f"{name} is the page itself", name
        path = uris.canonicalize(video.content_loc or "").partition("?")[0].lower()
        if path.endswith(_NO_VIDEOS):
            yield (
                "video-format",
                f"content_loc is not a video file: {video.content_loc}",
                "content_loc",
            )
        if date := video.publication_date:
            yield from self._publication_date(date)
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

    def _publication_date(self, date: str) -> Iterator[tuple[str, str, str]]:
        if w3cdate.moment(date) > self._now:
            yield "date-in-future", f"publication_date {date} is in the future", date
        if is_placeholder(date):
            yield "date-placeholder", f"publication_date {date} is a placeholder", date

    def _article(self, news: News) -> Iterator[tuple[str, str, str]]:
        """Yield the errors in an article, like `_errors`."""
        date = news.publication_date
        if date and self._now - w3cdate.moment(date) > _NEWS_AGE + timedelta(days=len(date) <= 10):
            yield "news-too-old", f"article is older than two days (published on {date})", date
        if date:
            yield from self._publication_date(date)
        name = (news.publication and news.publication.name) or ""
        if "(" in name:
            yield "news-text", f"publication name {name!r} contains parentheses", name
        if name and re.search(rf"(?i)[-\u2013\u2014|:,]\s*{re.escape(name)}\b", news.title or ""):
            yield "news-text", f"title {news.title!r} contains the name of the publication", "title"
        language = news.publication and news.publication.language
        code = language and news_language(language)
        if language and not (code and is_language(code[:3].rstrip("-"))):
            yield "news-language", f"invalid language code {language!r}", language

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        for name, found in self._deprecated.items():
            count = self._counts[name]
            times = f" ({count:,} times)" if count > 1 else ""
            yield found._replace(message=f"{name} is deprecated{times}")
        if self._articles > _MOST_NEWS:
            message = f"{self._articles:,} articles (limit {_MOST_NEWS:,})"
            yield RawFinding("news-too-many", message)
        if 0 < self._articles < extent.entries and not file.is_feed:
            articles = pluralize(self._articles, "news article")
            message = f"{articles} among {extent.entries:,} entries"
            yield RawFinding("news-mixed", message)


def _repeated_images(images: Sequence[Image]) -> Iterator[tuple[str, str]]:
    """Yield a message and the URL of each image that is listed more than once."""
    locs = [image.loc for image in images]
    if len(set(locs)) == len(locs):  # the usual case, and faster than counting
        return
    for url, count in Counter(locs).items():
        if url and count > 1:
            times = "twice" if count == 2 else f"{count:,} times"
            yield f"image {url} is listed {times}", url


def _deprecated_names(entry: Entry, *, is_feed: bool) -> Iterator[str]:
    if not is_feed:
        news = (entry.news,) if entry.news else ()
        for model in (*entry.images, *entry.videos, *news):
            prefix, fields = _OLD[type(model)]
            for field in fields:
                if has(getattr(model, field)):
                    yield f"{prefix}:{field}"
    if entry.mobile:
        yield "<mobile:mobile>"


def _assets(entry: Entry) -> Iterator[str]:
    """Yield the URLs of image files and licenses, thumbnails, video files and players."""
    for image in entry.images:
        yield from filter(None, (image.loc, image.license))
    for video in entry.videos:
        yield from filter(None, (video.thumbnail_loc, video.content_loc, video.player_loc))
