"""Finds the URL of the item that contains an element, to show it in findings."""

from sitemapx.convert.formats.feeds.handlers import link_relation
from sitemapx.convert.xml.elements import local_name
from sitemapx.convert.xml.parsers import XmlElement


class ItemUrls:
    """Finds the URLs of items; caches the last URL, as successive elements mostly share an item."""

    def __init__(self) -> None:
        self._item: XmlElement | None = None
        self._url: str | None = None

    def find(self, element: XmlElement) -> str | None:
        """Return the URL of the item around an element; None outside items or without a URL."""
        around = (element, *element.iterancestors())
        item = next(
            (element for element in around if local_name(element) in ("item", "entry")), None
        )
        if item is not self._item:
            self._item = item
            self._url = None if item is None else _url_of(item)
        return self._url


def _url_of(item: XmlElement) -> str | None:
    for link in item.iterchildren("{*}link"):
        url = link.get("href") if link_relation(link) == "alternate" else None
        if url := (url or link.text or "").strip():
            return url
    return None
