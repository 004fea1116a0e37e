"""
Rows of crawlers: which of the URLs that they found are pages to be listed.

Listed are pages with status 200 that may be indexed: HTML, and PDF, which Google indexes as well
(https://developers.google.com/search/docs/crawling-indexing/indexable-file-types).
"""

from collections.abc import Mapping

from sitemapx.convert.values import uris

__all__ = ["MISSING", "why_unlisted"]

#: What Sitebulb writes for a value that there is not.
MISSING = "--"
_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/pdf"})
#: How values begin that mean yes, in the languages of exports: indexable, indexierbar and so on.
_YES = ("ind", "yes", "true", "1")


def why_unlisted(found: Mapping[str, str], loc: str) -> str | None:
    """
    Return why a sitemap must not list a URL; None if it may.

    Args:
        found: What a crawler found, by the names of `TableHeader.crawl`.

    >>> why_unlisted({"status": "301", "indexable": "Non-Indexable"}, "https://example.com/a")
    'status 301'
    >>> why_unlisted({"indexable": "Nicht-Indexierbar"}, "https://example.com/a")
    'not indexable'

    """
    status, indexable = found.get("status"), found.get("indexable")
    if status and status != "200":
        return f"status {status}"
    if indexable and not indexable.lower().startswith(_YES):
        reason = found.get("reason")
        return f"not indexable ({reason})" if reason else "not indexable"
    kind = (found.get("type") or "").partition(";")[0].strip().lower()
    if "/" in kind and kind not in _TYPES:
        return f"{kind} is not a page"
    canonical = found.get("canonical")
    if canonical and not indexable and uris.normal(canonical) != uris.normal(loc):
        return "page has another canonical URL"
    return None
