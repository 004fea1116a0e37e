"""Rows of values that a person or a program wrote, as entries."""

from typing import Any

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import dates, urls, zones

__all__ = ["entry_of_row"]


def entry_of_row(fields: dict[str, Any], context: Context, number: int) -> Entry | None:
    """Make an entry of a row; values that cannot be read are reported and left out."""
    for name in ("lastmod", "published"):
        if (text := fields.get(name)) is not None:
            lost: list[str] = []
            fields[name] = dates.parse_date(text, lost.append)
            for zone in lost:
                message = f"{name}: {zones.loss(zone, text)}"
                context.problem("unknown-zone", message, done=zones.KEPT, line=number)
            if fields[name] is None:
                message = f"{name}: not a date: {text!r}"
                context.problem("bad-date", message, done="; left out", line=number)
    if not (loc := fields.get("loc") or "").strip():
        fields.pop("loc", None)
    else:
        if urls.is_wrapped(loc):
            context.problem("mended-loc", f"white space in a URL: {loc!r}", line=number)
        found = urls.resolve(urls.clean(loc), context.url)
        if found is None:
            done = " left out; --source-url makes it absolute"
            context.problem("relative-loc", f"relative URL {loc!r}", done=done, line=number)
            return None
        fields["loc"] = found
    return Entry(**fields)
