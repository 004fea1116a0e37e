"""The heads of feeds: fitted to the format, where a source has little or none of its own."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry, has
from sitemapx.convert.values import datatypes, uris, urls
from sitemapx.convert.values.w3cdate import is_w3c, moment
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from sitemapx.convert.formats.format import Format

__all__ = ["fitted", "newest_date", "overridden"]

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
        "id": addresses[0] if addresses else urls.derived(site or title),
        "authors": (title,),
    }


def newest_date(entries: Iterable[Entry], newest: str | None) -> str | None:
    """Return the date of the entry that changed last, or the one known before if that is later."""
    dates = {
        entry.lastmod or entry.published or (entry.news and entry.news.publication_date)
        for entry in entries
    } | {newest}
    return max((date for date in dates if date and is_w3c(date)), key=moment, default=None)
