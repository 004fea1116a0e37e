"""What the writers of RSS and Atom have in common."""

from datetime import datetime
from email.utils import format_datetime

from sitemapx.convert import urls
from sitemapx.convert.entry import Entry
from sitemapx.convert.kinds import Complain
from sitemapx.convert.problems import Context
from sitemapx.convert.writers.xml import escape

__all__ = ["address", "element", "feed_loc", "rfc822", "rfc3339", "tallier"]


def tallier(context: Context) -> Complain:
    """Make the function that counts problems that many entries have alike."""

    def tally(code: str, message: str) -> None:
        context.tally(code, message)

    return tally


def element(name: str, text: str | None, complain: Complain, attributes: str = "") -> str:
    """Write an element, or nothing where there is no text."""
    return f"<{name}{attributes}>{escape(text, complain)}</{name}>" if text else ""


def address(url: str, complain: Complain) -> str:
    """Write any URL for an attribute: as RFC 3986 has it, if it can be."""
    return escape(urls.to_uri(url) or url, complain)


def feed_loc(entry: Entry, context: Context) -> str | None:
    """Give the URL to write; one that is none is reported, and the entry kept by its id."""
    if not entry.loc:
        return None
    uri = urls.to_uri(entry.loc)
    if uri is None:
        context.problem("bad-loc", "no http(s) URL; left out", loc=entry.loc)
    return uri


def rfc822(date: str) -> str | None:
    """
    Write a date as mail does; None for one that this would make more or less precise.

    >>> rfc822("2026-11-19T06:40:12Z"), rfc822("2026-11-19")
    ('Thu, 19 Nov 2026 06:40:12 GMT', None)
    """
    if len(date) < 20 or "." in date or date[16] != ":" or date[17:19] == "60":
        return None
    if date[-1] != "Z" and date[-6] not in "+-":
        return None
    moment = datetime.fromisoformat(date)
    return format_datetime(moment, usegmt=False) if date[-1] != "Z" else _gmt(moment)


def _gmt(moment: datetime) -> str:
    return format_datetime(moment)[:-5] + "GMT"


def rfc3339(date: str, complain: Complain) -> str | None:
    """Write a date as Atom wants it: to the second and with a zone, made up where there is none."""
    if len(date) < 10:
        complain("bad-date", "a date without a day; left out")
        return None
    day, _, time = date.partition("T")
    zone = next((time[i:] for i in range(len(time)) if time[i] in "Z+-"), "")
    clock = time.removesuffix(zone) if zone else time
    if not clock or not zone:
        complain("completed", "a date without time or zone; written as UTC")
    if not clock:
        clock = "00:00:00"
    elif len(clock) == 5:
        clock += ":00"
    return f"{day}T{clock}{zone or 'Z'}"
