"""
Finds the items of a WordPress export that are not public pages.

An export (https://wordpress.org/documentation/article/tools-export-screen/) is RSS 2.0 that lists
everything in the database: drafts, private posts, images, entries of menus, revisions. Pages are
published posts, pages and entries of custom types, as in the sitemap of WordPress itself.
"""

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


def is_export(head: bytes) -> bool:
    """Return whether the XML before the first item declares the namespace of an export."""
    return _NAMESPACE.encode() in head


def why_skipped(item: XmlElement) -> str | None:
    """Return the reason why an item is not a public page; None for a public page."""
    values = {
        name: text_of(child)
        for child in item.iterchildren("{*}status", "{*}post_type")
        for namespace, name in [split_name(child)]
        if namespace.startswith(_NAMESPACE)
    }
    kind, status = values.get("post_type", ""), values.get("status", "publish")
    if kind in _INTERNAL_TYPES or kind.startswith("wp_"):
        return f"not a page in WordPress: {kind}"
    if status != "publish":
        return f"not published in WordPress: {status}"
    return None
