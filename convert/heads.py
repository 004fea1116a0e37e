"""The heads of feeds, where a source has none: as little as a feed needs, and never silently."""

from msgspec.structs import replace

from sitemapx.convert.document import Head
from sitemapx.convert.entry import Entry
from sitemapx.convert.problems import Context

__all__ = ["completed", "overridden"]


def overridden(head: Head, said: Head) -> Head:
    """Put what a person says in place of what the source says."""
    fields = {name: getattr(said, name) for name in said.__struct_fields__}
    return replace(head, **{name: value for name, value in fields.items() if value is not None})


def completed(head: Head, first: Entry | None, context: Context) -> Head:
    """
    Fill in what a feed must have: its host for the title and the link.

    Args:
        first: The first entry, whose host it is.
        context: Is told what was filled in.

    """
    loc = head.link or head.self_link or (first.loc if first else None) or ""
    scheme, _, rest = loc.partition("://")
    host = rest.partition("/")[0]
    wanted = {
        "link": f"{scheme}://{host}/" if host else None,
        "title": host or "Untitled",
        "description": head.title or host or "Untitled",
    }
    missing = {name: text for name, text in wanted.items() if text and not getattr(head, name)}
    for name, text in missing.items():
        context.problem("completed", f"the feed has no {name}; written: {text} (see --{name})")
    return replace(head, **missing)
