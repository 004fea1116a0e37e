"""Parts that the writers of feeds share."""

from collections.abc import Container, Iterable
from datetime import datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapx.convert.formats.feeds.items import DESCRIBING
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry, has
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import datatypes, uris, urls
from sitemapx.convert.values.datatypes import HREFLANG, OnProblem
from sitemapx.convert.values.w3cdate import is_w3c, moment
from sitemapx.convert.xml.writing import escape
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from sitemapx.convert.formats.format import Format


# ---- what items of feeds take from the news and the video of their entries


def _with_borrowed(batch: Batch) -> Batch:
    """Fill in missing titles, dates and languages from the news, and titles from the only video."""
    counts = batch.field_counts()
    if not (counts.get("news") or counts.get("videos")):
        return batch
    return Batch(list(map(_borrowing, batch.entries)))


def _borrowing(entry: Entry) -> Entry:
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
    """
    Counts problems that many entries have alike.

    Attributes:
        loc: The entry that they are of.

    """

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self.loc: str | None = None

    def __call__(self, code: str, message: str) -> None:
        """Count one."""
        self._reporter.tally(code, message, loc=self.loc)


class FeedWriter(Writer):
    """Writer of a feed, an item a line."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._tally = Tallier(reporter)

    def encode(self, batch: Batch) -> Encoded:
        """Write a line for each entry, also for one that has only an id."""
        return Encoded.of([self.item(entry) for entry in _with_borrowed(batch).entries])

    def item(self, entry: Entry) -> bytes:
        """Return an entry as an item; there are no bytes of one that the feed cannot hold."""
        raise NotImplementedError


def element(name: str, text: str | None, on_problem: OnProblem, attributes: str = "") -> str:
    """Write an element, or nothing where there is no text, or only what XML forbids."""
    written = escape(text, on_problem).strip() if text else ""
    return f"<{name}{attributes}>{written}</{name}>" if written else ""


def address(url: str, on_problem: OnProblem) -> str:
    """Write any URL for an attribute: as RFC 3986 has it, if it can be."""
    return escape(uris.to_uri(url) or urls.clean(url), on_problem, is_attribute=True)


def feed_loc(entry: Entry, reporter: Reporter) -> str | None:
    """Return the URL to write; one that is none is reported, and the entry kept by its id."""
    if not entry.loc:
        return None
    uri = uris.to_uri(entry.loc)
    if uri is None:
        reporter.problem("bad-loc", "invalid URL: expected http or https; dropped", loc=entry.loc)
    return uri


def language_code(language: str | None, on_problem: OnProblem) -> str | None:
    """Write a language as BCP 47 has it, or nothing where it is none."""
    return HREFLANG.format(language, on_problem) if language else None


def rfc822(date: str, on_problem: OnProblem) -> str | None:
    """
    Write a date as mail does; None for one without a time or a zone, which mail must have.

    >>> [rfc822(date, print) for date in ("2026-11-19T06:40:12Z", "2026-11-19T06:40-05:00")]
    ['Thu, 19 Nov 2026 06:40:12 GMT', 'Thu, 19 Nov 2026 06:40 -0500']
    >>> rfc822("2026-11-19", print)
    """
    if len(date) < 17 or date[17:19] == "60" or (date[-1] != "Z" and date[-6] not in "+-"):
        return None
    moment = datetime.fromisoformat(date)
    if "." in date:
        on_problem("less-precise", "RSS does not support fractions of a second; dropped")
        moment = moment.replace(microsecond=0)
    written = format_datetime(moment)
    if date[16] != ":":  # RFC 822 need not have seconds
        written = written.replace(":00 ", " ", 1)
    return f"{written[:-5]}GMT" if date[-1] == "Z" else written


def rfc3339(date: str, on_problem: OnProblem) -> str | None:
    """Write a date as Atom wants it: to the second and with a zone, made up where there is none."""
    if len(date) < 10:
        on_problem("bad-date", "date has no day; dropped")
        return None
    day, _, time = date.partition("T")
    zone = next((time[i:] for i in range(len(time)) if time[i] in "Z+-"), "")
    clock = time.removesuffix(zone) if zone else time
    if not clock or not zone:
        on_problem("completed", "date has no time or time zone; written as UTC")
    if not clock:
        clock = "00:00:00"
    elif len(clock) == 5:
        on_problem("completed", "date has no seconds; written with :00")
        clock += ":00"
    return f"{day}T{clock}{zone or 'Z'}"


#: Elements of Media RSS that are a video or an image themselves.
_MEDIA = frozenset({"content", "group", "player", "thumbnail"})


def is_read(
    name: tuple[str | None, str], entry: Entry, table: Container[str], *, has_media: bool
) -> bool:
    """
    Return whether readers of feeds take a foreign element for something in a field of an entry.

    Args:
        name: The usual prefix of its namespace, if any, and its local name.
        table: The elements that the format's reader knows.
        has_media: Whether videos and images of the entry are written, which others describe.

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


# ---- the heads of feeds: fitted to the format, where a source has little or none of its own

#: Fields that a person can say on the command line.
_SAYABLE = ("title", "link", "description")
_ADDRESSES = ("link", "self_link")


def overridden(head: Head, overrides: Head) -> Head:
    """Put what a person says in place of what the source says."""
    fields = {name: getattr(overrides, name) for name in overrides.__struct_fields__}
    return replace(head, **{name: value for name, value in fields.items() if has(value)})


def fitted(head: Head, first: Entry | None, format: "Format", context: Context) -> Head:
    """
    Make a head that a format of feeds can hold, with all that it must have but the date.

    Args:
        first: The first entry with a valid URL, whose host stands in for what is missing.
        context: Is told what was filled in, and what has no place.

    """
    for name in ("id", "authors"):
        if getattr(head, name) and name not in format.head:
            context.problem(
                "not-held", f"{format.name} does not support {name!r} of the feed; dropped"
            )
    fields = {name: getattr(head, name) for name in _ADDRESSES if getattr(head, name)}
    head = replace(head, **{name: uris.to_uri(url) or url for name, url in fields.items()})
    head = replace(head, hubs=tuple(uris.to_uri(hub) or hub for hub in head.hubs))
    if head.language:
        language = datatypes.HREFLANG.format(
            head.language,
            lambda code, message: context.problem(code, f"feed language: {message}; dropped"),
        )
        head = replace(head, language=language)
    if head.id and "id" in format.head and not urls.is_iri(head.id):
        context.problem("bad-value", f"invalid feed ID {head.id!r}: expected an IRI; dropped")
        head = replace(head, id=None)
    wanted = _wanted(head, first)
    missing = [name for name in format.head_needs if name in wanted and not getattr(head, name)]
    for name in missing:
        value = wanted[name]
        how = f" (see {option(name)})" if name in _SAYABLE else ""
        if value:
            written = value if isinstance(value, str) else ", ".join(value)
            context.problem("completed", f"feed has no {name}; wrote {written!r}{how}")
        else:
            context.problem("incomplete", f"feed has no {name}, which {format.name} requires{how}")
    return replace(head, **{name: wanted[name] for name in missing if wanted[name]})


def _wanted(head: Head, first: Entry | None) -> dict[str, str | tuple[str, ...] | None]:
    """Return what to write for each field that is missing; None where nothing can be known."""
    loc = head.link or head.self_link or (first.loc if first else None) or ""
    scheme, _, rest = loc.partition("://")
    host = rest.partition("/")[0]
    site = f"{scheme}://{host}/" if host else None
    title = head.title or host or "Untitled"
    addresses = [url for url in (head.self_link, head.link) if url and urls.is_iri(url)]
    return {
        "link": site,
        "title": title,
        "description": title,
        "id": addresses[0] if addresses else urls.derive_iri(site or title),
        "authors": (title,),
    }


def newest_date(entries: Iterable[Entry], newest: str | None) -> str | None:
    """Return the date of the entry that changed last, or the one known before if that is later."""
    dates = {
        entry.lastmod or entry.published or (entry.news and entry.news.publication_date)
        for entry in entries
    } | {newest}
    return max((date for date in dates if date and is_w3c(date)), key=moment, default=None)
