"""Metadata (heads) of feeds to write: given by the user, read from the source, or derived."""

from collections.abc import Iterable

from msgspec.structs import replace

from sitemapx.convert.formats.format import Context, Format
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry, has
from sitemapx.convert.values import datatypes, uris, urls
from sitemapx.convert.values.w3cdate import is_w3c, moment
from sitemapx.optionnames import option

#: Fields with a command line option.
_OPTIONS = ("title", "link", "description")
_ADDRESSES = ("link", "self_link")


def override_head(head: Head, overrides: Head) -> Head:
    """Return the head with the values in `overrides`; fields without a value there are kept."""
    fields = {name: getattr(overrides, name) for name in overrides.__struct_fields__}
    return replace(head, **{name: value for name, value in fields.items() if has(value)})


def fit_head(head: Head, first: Entry | None, format: Format, context: Context) -> Head:
    """
    Return a head adapted to a format, and report problems.

    URLs are normalized; an invalid language or ID is dropped. Missing values that the format
    requires, except the date, are derived from the link and the title, or else from `first`, the
    first entry with a valid URL.
    """
    for name in ("id", "authors"):
        if getattr(head, name) and name not in format.head:
            context.problem(
                "dropped-field", f"{format.name} does not support {name!r} of the feed; dropped"
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
    wanted = _make_defaults(head, first)
    missing = [name for name in format.head_needs if name in wanted and not getattr(head, name)]
    for name in missing:
        value = wanted[name]
        how = f" (see {option(name)})" if name in _OPTIONS else ""
        if value:
            written = value if isinstance(value, str) else ", ".join(value)
            context.problem("filled-in", f"feed has no {name}; wrote {written!r}{how}")
        else:
            context.problem(
                "missing-element", f"feed has no {name}, which {format.name} requires{how}"
            )
    return replace(head, **{name: wanted[name] for name in missing if wanted[name]})


def _make_defaults(head: Head, first: Entry | None) -> dict[str, str | tuple[str, ...] | None]:
    """Return a default for each required field of feeds except the date; the link may be None."""
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


def find_newest_date(entries: Iterable[Entry], newest: str | None) -> str | None:
    """Return the latest valid date of the entries and `newest`; None if there are no dates."""
    dates = {
        entry.lastmod or entry.published or (entry.news and entry.news.publication_date)
        for entry in entries
    } | {newest}
    return max((date for date in dates if date and is_w3c(date)), key=moment, default=None)
