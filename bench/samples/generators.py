"""
Sitemaps in the style of widely used programs: their fields and line breaks.

The entries in a file differ only as pages do: some have images or language versions.
"""

from collections.abc import Callable, Iterator
from datetime import UTC
from functools import partial
from xml.sax.saxutils import escape

from bench.samples.chance import Chance
from bench.samples.kind import SEED, Entry, Kind
from bench.samples.shapes import ALL_START, SITE, SITEMAP, XML

__all__ = ["GENERATORS", "WITH_EXTENSIONS"]

_GOOGLE = "http://www.google.com/schemas"
_IMAGE = f"{_GOOGLE}/sitemap-image/1.1"
_PAGEMAP = f"{_GOOGLE}/sitemap-pagemap/1.0"
_XHTML = "http://www.w3.org/1999/xhtml"
_LANGUAGES = ("en", "de", "fr", "es")

#: Adds the fields that a program writes to an entry.
_Adds = Callable[[Entry, Chance], None]


def _pages(adds: _Adds, count: int) -> Iterator[Entry]:
    chance = Chance(f"generators {SEED}")
    for number in range(count):
        entry: Entry = {"loc": chance.loc(number)}
        adds(entry, chance)
        yield entry


def _core(entry: Entry, indent: str = "", end: str = "") -> str:
    """Return the fields of the protocol as XML, in the order of the entry."""
    names = ("loc", "lastmod", "changefreq", "priority")
    return "".join(
        f"{indent}<{name}>{escape(str(entry[name]))}</{name}>{end}"
        for name in names
        if name in entry
    )


def _lines(entry: Entry) -> str:
    return _core(entry, "    ", "\n")


def _images(chance: Chance, most: int, *more: str) -> list[Entry]:
    return [
        {"loc": f"{SITE}media/2026/0{1 + chance.number(9)}/{chance.number(10**6)}.jpg"}
        | {name: chance.title(chance.number(99)) for name in more}
        for _ in range(chance.number(most + 1))
    ]


def _versions(entry: Entry) -> list[Entry]:
    loc = entry["loc"]
    return [
        {"hreflang": language, "href": loc.replace(SITE, f"{SITE}{language}/")}
        for language in _LANGUAGES
    ]


def _yoast_page(entry: Entry, chance: Chance) -> None:
    entry["lastmod"] = chance.moment().astimezone(UTC).isoformat()
    if images := _images(chance, 3):
        entry["images"] = images


def _yoast(entry: Entry) -> str:
    images = "".join(
        f"\t\t<image:image>\n\t\t\t<image:loc>{image['loc']}</image:loc>\n\t\t</image:image>\n"
        for image in entry.get("images", ())
    )
    fields = _core(entry, "\t\t", "\n")
    return f"\t<url>\n{fields}{images}\t</url>\n"


def _next_page(entry: Entry, chance: Chance) -> None:
    time = f"{chance.moment().replace(tzinfo=None).isoformat()}.{chance.number(1000):03}Z"
    entry |= {"lastmod": time, "changefreq": "daily", "priority": 0.7}
    if not chance.is_one_in(4):
        entry["alternates"] = _versions(entry)


def _next(entry: Entry) -> str:
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{version["hreflang"]}"'
        f' href="{escape(version["href"])}"/>'
        for version in entry.get("alternates", ())
    )
    return f"<url>{_core(entry)}{links}</url>\n"


def _django_page(entry: Entry, chance: Chance) -> None:
    if not chance.is_one_in(3):
        entry["lastmod"] = chance.moment().date().isoformat()
    entry |= {"changefreq": chance.one_of(("daily", "weekly")), "priority": 0.5}


def _line(entry: Entry, end: str = "\n") -> str:
    return f"<url>{_core(entry)}</url>{end}"


def _hugo_page(entry: Entry, chance: Chance) -> None:
    if not chance.is_one_in(5):
        entry["lastmod"] = chance.moment().isoformat()
    if chance.is_one_in(2):
        entry["alternates"] = _versions(entry)[: 1 + chance.number(4)]


def _hugo(entry: Entry) -> str:
    indent = "\n" + " " * 16
    links = "".join(
        f'    <xhtml:link{indent}rel="alternate"{indent}hreflang="{version["hreflang"]}"'
        f'{indent}href="{escape(version["href"])}"{indent}/>\n'
        for version in entry.get("alternates", ())
    )
    return f"<url>\n{_lines(entry)}{links}  </url>"


def _shopify_page(entry: Entry, chance: Chance) -> None:
    entry |= {"lastmod": chance.moment().isoformat(), "changefreq": "daily"}
    more = ("title", "caption") if chance.is_one_in(3) else ("title",)
    if images := _images(chance, 1, *more):
        entry["images"] = images


def _shopify(entry: Entry) -> str:
    images = "".join(
        f"    <image:image>\n      <image:loc>{image['loc']}</image:loc>\n"
        f"      <image:title>{escape(image['title'])}</image:title>\n"
        f"      <image:caption>{escape(image.get('caption', ''))}</image:caption>\n"
        "    </image:image>\n"
        for image in entry.get("images", ())
    )
    return f"  <url>\n{_lines(entry)}{images}  </url>\n"


def _magento_page(entry: Entry, chance: Chance) -> None:
    entry["lastmod"] = chance.moment().astimezone(UTC).isoformat()
    entry |= {"changefreq": "daily", "priority": 1.0}
    if images := _images(chance, 3, "title"):
        entry["images"] = images
        entry["extras"] = [_page_map(images[0], "></Attribute>")]


def _page_map(image: Entry, end: str) -> str:
    name = escape(image["title"], {'"': "&quot;"}).replace("&gt;", ">" if end != "/>" else "&gt;")
    return (
        f'<PageMap xmlns="{_PAGEMAP}"><DataObject type="thumbnail">'
        f'<Attribute name="name" value="{name}"{end}'
        f'<Attribute name="src" value="{image["loc"]}"{end}</DataObject></PageMap>'
    )


def _magento(entry: Entry) -> str:
    images = entry.get("images", [])
    extensions = "".join(
        f"<image:image><image:loc>{image['loc']}</image:loc>"
        f"<image:title>{escape(image['title'])}</image:title></image:image>"
        for image in images
    )
    return f"<url>{_core(entry)}{extensions}{_page_map(images[0], '/>') if images else ''}</url>"


def _wordpress_page(entry: Entry, chance: Chance) -> None:
    if not chance.is_one_in(10):
        entry["lastmod"] = chance.moment().isoformat()


def _frog_page(entry: Entry, chance: Chance) -> None:
    entry["lastmod"] = chance.moment().date().isoformat()
    entry |= {"changefreq": "daily", "priority": chance.one_of((0.5, 0.6, 0.7, 0.8, 0.9, 1.0))}


def _frog(entry: Entry) -> str:
    return f"  <url>\n{_lines(entry)}  </url>\n"


def _kind(page: _Adds, render: Callable[[Entry], str], start: str, end: str = "\n") -> Kind:
    return Kind(".xml", partial(_pages, page), render, start, f"{end}</urlset>\n")


def _start(style: str = "", namespaces: str = "") -> str:
    sheet = f'<?xml-stylesheet type="text/xsl" href="{style}"?>\n' if style else ""
    return f'{XML}{sheet}<urlset xmlns="{SITEMAP}"{namespaces}>'


_SCHEMAS = (
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    f'xsi:schemaLocation="{SITEMAP} {SITEMAP}/sitemap.xsd {_IMAGE} {_IMAGE}/sitemap-image.xsd"'
)
_STYLE = "//www.example.com/wp-content/plugins/wordpress-seo/css/main-sitemap.xsl"
_WITH_IMAGES = f' xmlns:image="{_IMAGE}"'
_WITH_LINKS = f' xmlns:xhtml="{_XHTML}"'

GENERATORS = {
    "Yoast": _kind(_yoast_page, _yoast, _start(_STYLE, f"{_WITH_IMAGES}{_SCHEMAS}") + "\n", ""),
    "next-sitemap": _kind(_next_page, _next, ALL_START, ""),
    "Django": _kind(_django_page, _line, _start(namespaces=_WITH_LINKS) + "\n", ""),
    "Hugo": _kind(_hugo_page, _hugo, _start(namespaces=f"\n {_WITH_LINKS}") + "\n  "),
    "Shopify": _kind(_shopify_page, _shopify, _start(namespaces=_WITH_IMAGES) + "\n", ""),
    "Magento": _kind(_magento_page, _magento, _start(namespaces=_WITH_IMAGES)),
    "WordPress": _kind(_wordpress_page, partial(_line, end=""), _start("/wp-sitemap.xsl"), ""),
    "Screaming Frog": _kind(_frog_page, _frog, _start(namespaces=_WITH_IMAGES) + "\n", ""),
}
#: Kinds whose entries are several times as large.
WITH_EXTENSIONS = ("Yoast", "next-sitemap", "Hugo", "Shopify", "Magento")
