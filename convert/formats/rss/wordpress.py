"""
Reads what WordPress adds to the RSS of an export.

An export (https://wordpress.org/documentation/article/tools-export-screen/) lists everything in the
database: drafts, private posts, images, entries of menus, revisions. Pages are published posts,
pages and entries of custom types, as in the sitemap of WordPress itself. `pubDate` is the date of
publication only.
"""

import re

from sitemapx.convert.values.dates import parse_date
from sitemapx.convert.xml.elements import split_name, text_of
from sitemapx.convert.xml.parsers import XmlElement

#: Prefix of the namespaces of all versions of the export format.
_NAMESPACE = "http://wordpress.org/export/"
#: Types that WordPress itself uses for things that are not pages; more begin with `wp_`.
_INTERNAL_TYPES = frozenset(
    {
        *("attachment", "custom_css", "customize_changeset", "nav_menu_item", "oembed_cache"),
        *("revision", "user_request"),
    }
)
#: The link of a published item without a page of its own: its type is not publicly queryable.
_has_no_page = re.compile(r"[^?#]*\?(?:[^#]*&)?post_type=").match
_UTC = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)")


def is_export(head: bytes) -> bool:
    """Return whether the XML before the first item declares the namespace of an export."""
    return _NAMESPACE.encode() in head


def why_skipped(item: XmlElement) -> str | None:
    """Return the reason why an item is not a public page; None if it is one."""
    values = _values(item, "status", "post_type", "post_password")
    kind, status = values.get("post_type", ""), values.get("status", "publish")
    if kind in _INTERNAL_TYPES or kind.startswith("wp_"):
        return f"not a page in WordPress: {kind}"
    if status != "publish":
        return f"not published in WordPress: {status}"
    if _has_no_page(item.findtext("link") or ""):
        return f"not a page in WordPress: {kind}"
    return "password-protected in WordPress" if values.get("post_password") else None


def read_modified(item: XmlElement) -> str | None:
    """Return the date of the last change as a W3C Datetime; None if it is missing or invalid."""
    m = _UTC.fullmatch(_values(item, "post_modified_gmt").get("post_modified_gmt", ""))
    return parse_date(f"{m[1]}T{m[2]}Z") if m else None


def _values(item: XmlElement, *names: str) -> dict[str, str]:
    return {
        name: text_of(child)
        for child in item.iterchildren(*(f"{{*}}{name}" for name in names))
        for namespace, name in [split_name(child)]
        if namespace.startswith(_NAMESPACE)
    }
