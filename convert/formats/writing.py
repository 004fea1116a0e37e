"""Parts that writers of several formats share."""

from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import uris, urls

__all__ = ["written_loc"]


def written_loc(entry: Entry, reporter: Reporter) -> str | None:
    """Return the URL to write, or report why there is none."""
    if not entry.loc:
        name = entry.id or entry.title
        about = f", {name!r}" if name else ""
        reporter.problem("no-loc", f"entry has no URL{about}; skipped")
        return None
    uri = uris.to_uri(entry.loc)
    if uri is None:
        is_long = urls.is_absolute(entry.loc) and len(entry.loc) > urls.MAX_LENGTH // 4
        why = (
            "URL is too long for sitemaps"
            if is_long
            else "invalid URL: expected an absolute http(s) URL"
        )
        reporter.problem("bad-loc", f"{why}; entry skipped", loc=entry.loc)
    return uri
