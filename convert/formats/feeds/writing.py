"""Shared parts of the feed writers: items, URLs, languages and dates."""

from collections.abc import Container
from datetime import datetime
from email.utils import format_datetime

from msgspec.structs import replace

from sitemapx.convert.formats.feeds.items import DESCRIBING
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.datatypes import HREFLANG, OnProblem
from sitemapx.convert.xml.writing import escape

# ---- fields filled in from news and videos


def _fill_in_missing(batch: Batch) -> Batch:
    """Fill in missing titles, dates and languages from news, and titles from a single video."""
    counts = batch.field_counts()
    if not (counts.get("news") or counts.get("videos")):
        return batch
    return Batch(list(map(_fill_in_entry, batch.entries)))


def _fill_in_entry(entry: Entry) -> Entry:
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


class Tallier:
    """Counts problems that affect many entries; `loc` is the URL or ID of the current entry."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self.loc: str | None = None

    def __call__(self, code: str, message: str) -> None:
        self._reporter.tally(code, message, loc=self.loc)


class FeedWriter(Writer):
    """Base class of the writers of feeds with one item per line."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._tally = Tallier(reporter)

    def encode(self, batch: Batch) -> Encoded:
        return Encoded.from_chunks([self.item(entry) for entry in _fill_in_missing(batch).entries])

    def item(self, entry: Entry) -> bytes:
        """Return an entry as an item; b"" if the format cannot represent the entry."""
        raise NotImplementedError


def element(name: str, text: str | None, on_problem: OnProblem, attributes: str = "") -> str:
    """Return an element as XML, "" without text; `attributes` is empty or begins with a space."""
    written = escape(text, on_problem).strip() if text else ""
    return f"<{name}{attributes}>{written}</{name}>" if written else ""


def address(url: str, on_problem: OnProblem) -> str:
    """Escape a URL for an attribute, as an RFC 3986 URI if possible."""
    return escape(uris.to_uri(url) or urls.clean(url), on_problem, is_attribute=True)


def choose_feed_loc(entry: Entry, reporter: Reporter) -> str | None:
    """
    Return the URL of an entry as a URI; report an invalid URL and return None.

    An entry without a URL is still written, as items of feeds need no URL.
    """
    if not entry.loc:
        return None
    uri = uris.to_uri(entry.loc)
    if uri is None:
        reporter.problem("bad-loc", "invalid URL: expected http or https; dropped", loc=entry.loc)
    return uri


def language_code(language: str | None, on_problem: OnProblem) -> str | None:
    """Return a language as BCP 47 code; report an invalid language and return None."""
    return HREFLANG.format(language, on_problem) if language else None


def to_rfc822(date: str, on_problem: OnProblem) -> str | None:
    """
    Convert a date to the format of RSS; None without time or time zone, and for a leap second.

    >>> [to_rfc822(date, print) for date in ("2026-11-19T06:40:12Z", "2026-11-19T06:40-05:00")]
    ['Thu, 19 Nov 2026 06:40:12 GMT', 'Thu, 19 Nov 2026 06:40 -0500']
    >>> to_rfc822("2026-11-19", print)
    """
    if len(date) < 17 or date[17:19] == "60" or (date[-1] != "Z" and date[-6] not in "+-"):
        return None
    moment = datetime.fromisoformat(date)
    if "." in date:
        on_problem("less-precise", "RSS does not support fractions of a second; dropped")
        moment = moment.replace(microsecond=0)
    written = format_datetime(moment)
    if date[16] != ":":  # seconds are optional in RFC 822
        written = written.replace(":00 ", " ", 1)
    return f"{written[:-5]}GMT" if date[-1] == "Z" else written


def to_rfc3339(date: str, on_problem: OnProblem) -> str | None:
    """
    Convert a date to the format of Atom: time, seconds and time zone are added if missing.

    Returns None for a date without a day. Additions and dropped dates are reported.
    """
    if len(date) < 10:
        on_problem("bad-date", "date has no day; dropped")
        return None
    day, _, time = date.partition("T")
    zone = next((time[i:] for i in range(len(time)) if time[i] in "Z+-"), "")
    clock = time.removesuffix(zone) if zone else time
    if not clock or not zone:
        on_problem("filled-in", "date has no time or time zone; written as UTC")
    if not clock:
        clock = "00:00:00"
    elif len(clock) == 5:
        on_problem("filled-in", "date has no seconds; written with :00")
        clock += ":00"
    return f"{day}T{clock}{zone or 'Z'}"


#: Media RSS elements that are read as videos or images.
_MEDIA = frozenset({"content", "group", "player", "thumbnail"})


def is_read_as_field(
    name: tuple[str | None, str], entry: Entry, table: Container[str], *, has_media: bool
) -> bool:
    """
    Return whether feed readers would map a foreign element to a field of the entry.

    Args:
        name: Canonical prefix (None if unknown) and local name.
        table: Names of the elements that the reader of the format supports.
        has_media: Whether the format supports videos and images.

    """
    prefix, local = name
    key = f"{prefix}:{local}"
    if prefix != "media" and key not in DESCRIBING:
        return key in table or key.lower() in table
    if local in _MEDIA or (has_media and bool(entry.videos or entry.images)):
        return True
    return (local == "title" and not entry.title) or (
        local == "description" and not entry.description
    )
