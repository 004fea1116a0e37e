"""
Where peers decide differently: what sitemapx does, with an example that shows it.

The table of docs/policies.md is made from this list; `test_docs.py` holds it to be true.
"""

from typing import Any, NamedTuple

SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'


class Policy(NamedTuple):
    """A question, the answer, and a source that yields these entries and these codes."""

    question: str
    answer: str
    source: bytes
    entries: list[dict[str, Any]]
    codes: list[str]
    url: str | None = None


def _urlset(*items: str, root: str = f"urlset {SITEMAP} {XHTML}") -> bytes:
    return f"<{root}>{''.join(items)}</{root.split(maxsplit=1)[0]}>".encode()


def _rss(*items: str) -> bytes:
    return f'<rss version="2.0"><channel><title>T</title>{"".join(items)}</channel></rss>'.encode()


def _url(loc: str, rest: str = "") -> str:
    return f"<url><loc>{loc}</loc>{rest}</url>"


A = {"loc": "https://e.example/a"}
B = {"loc": "https://e.example/b"}
_a, _b = _url(A["loc"]), _url(B["loc"])
_LONG = "https://e.example/" + "x" * 2030

POLICIES = [
    Policy(
        "DOCTYPE, entities",
        "Never processed, nothing is expanded or fetched. The entries are read; an entity that "
        "XML does not know stays the text that it is.",
        b'<!DOCTYPE urlset [<!ENTITY x "boom">]>' + _urlset(_url("https://e.example/a?&x;")),
        [{"loc": "https://e.example/a?&x;"}],
        ["doctype", "malformed"],
    ),
    Policy(
        "File that ends too early",
        "All complete entries are kept, the half-read one is dropped; an error, so status 1.",
        _urlset(_a, _b)[:-22],
        [A],
        ["truncated"],
    ),
    Policy(
        "Markup that is not well-formed",
        "The defect costs the entry that has it, or is fixed where there is one way to; "
        "the others are untouched.",
        _urlset(_a, "</url>", _url("https://e.example/?p=1&q=2")),
        [A, {"loc": "https://e.example/?p=1&q=2"}],
        ["stray-content", "unescaped"],
    ),
    Policy(
        "Wrong namespace, or none",
        "Read as the one that is meant, with a warning; written right.",
        _urlset(_a, root='urlset xmlns="https://www.google.com/schemas/sitemap/0.84"'),
        [A],
        ["namespace"],
    ),
    Policy(
        "White space or a byte order mark before the XML declaration",
        "Read, and not reported.",
        b'\n \xef\xbb\xbf<?xml version="1.0"?>' + _urlset(_a),
        [A],
        [],
    ),
    Policy(
        "Encoding",
        "A byte order mark wins over the declaration, and the bytes over both: what is not UTF-8 "
        "is read as windows-1252, with a warning. The media type of a server is not asked.",
        _urlset(_url("https://e.example/caf\u00e9")).decode().encode("latin-1"),
        [{"loc": "https://e.example/caf\u00e9"}],
        ["encoding"],
    ),
    Policy(
        "Empty urlset",
        "No entries and a warning, status 0: Google takes an empty news sitemap. An output that "
        "has entries is not replaced by it, unless `--allow-empty` or `--partial` is given.",
        _urlset(),
        [],
        ["empty"],
    ),
    Policy(
        "Order of the elements",
        "Any is read; the official schema's is written.",
        _urlset("<url><lastmod>2026-01-02</lastmod><loc>https://e.example/a</loc></url>"),
        [A | {"lastmod": "2026-01-02"}],
        [],
    ),
    Policy(
        "URLs outside the sitemap's own folder or host",
        "Kept: whether they are allowed depends on robots.txt and on Search Console.",
        _urlset(_a),
        [A],
        [],
        "https://other.example/maps/sitemap.xml",
    ),
    Policy(
        "Relative URL",
        "Made absolute with the address of the source (`--source-url`), with a warning; "
        "left out if that is not known. A line of a text list that is no full URL is no URL.",
        _urlset(_url("/a")),
        [A],
        ["relative-loc"],
        "https://e.example/maps/sitemap.xml",
    ),
    Policy(
        "URL of 2,048 characters or more",
        "Kept when read; sitemaps and text lists are written without it, with a warning.",
        _urlset(_url(_LONG)),
        [{"loc": _LONG}],
        [],
    ),
    Policy(
        "Two `<loc>` in one entry",
        "The first is taken, the others are reported.",
        _urlset("<url><loc>https://e.example/a</loc><loc>https://e.example/b</loc></url>"),
        [A],
        ["repeated"],
    ),
    Policy(
        "URL in `<url>` without `<loc>`",
        "Taken, with a warning.",
        _urlset("<url>https://e.example/a</url>"),
        [A],
        ["mended-loc"],
    ),
    Policy(
        "The same URL twice",
        "Both are kept: no protocol forbids it, and the second may say more. `--unique` keeps the "
        "first. Feeds are written with each id once, since it is what tells their items apart.",
        _urlset(_a, _a),
        [A, A],
        [],
    ),
    Policy(
        "Priority out of range, or no number",
        "Dropped with a warning; never a default in its place.",
        _urlset(_url(A["loc"], "<priority>5</priority>")),
        [A],
        ["bad-priority"],
    ),
    Policy(
        "Date that is none",
        "Dropped with a warning, never guessed.",
        _urlset(_url(A["loc"], "<lastmod>2026-02-30</lastmod>")),
        [A],
        ["bad-date"],
    ),
    Policy(
        "Time without a zone",
        "Kept as it is; written to XML as its day alone, with a warning.",
        _urlset(_url(A["loc"], "<lastmod>2026-01-02T03:04:05</lastmod>")),
        [A | {"lastmod": "2026-01-02T03:04:05"}],
        [],
    ),
    Policy(
        "`xhtml:link` without hreflang",
        "Kept with the attributes that it has (`media`, `rel=amphtml`, app links).",
        _urlset(_url(A["loc"], '<xhtml:link rel="amphtml" href="https://e.example/amp"/>')),
        [A | {"alternates": [{"href": "https://e.example/amp", "rel": "amphtml"}]}],
        [],
    ),
    Policy(
        "Lines of a text list that are no URLs",
        "Left out with a warning; blank lines, spaces, CR and a byte order mark are ignored.",
        b"\xef\xbb\xbfOur pages\r\nhttps://e.example/a \r\n\r\nhttps://e.example/b\r\n",
        [A, B],
        ["not-a-url"],
    ),
    Policy(
        "`guid` that is no permalink",
        "Never a URL; the item keeps it as its id. One that says to be a permalink and is a URL "
        "counts where there is no http(s) `link`.",
        _rss(
            '<item><guid isPermaLink="false">https://e.example/a</guid></item>',
            "<item><guid>https://e.example/b</guid></item>",
        ),
        [{"id": A["loc"]}, B | {"id": B["loc"]}],
        [],
    ),
    Policy(
        "Item or entry without a link",
        "Kept by its id, in feeds and JSON Lines; left out, with a warning, where a URL is needed.",
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>https://e.example/a</id></entry></feed>',
        [{"id": A["loc"]}],
        [],
    ),
    Policy(
        "Several links",
        "The first alternate, HTML before others; never `self`, `edit` or `enclosure`. "
        "The others are reported.",
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry>'
        b'<link rel="self" href="https://e.example/s"/>'
        b'<link type="application/json" href="https://e.example/j"/>'
        b'<link rel="alternate" type="text/html" href="https://e.example/a"/></entry></feed>',
        [A],
        ["unread-element"],
    ),
    Policy(
        "`pubDate` without a zone",
        "Kept without one; UTC is not assumed.",
        _rss(
            "<item><link>https://e.example/a</link>"
            "<pubDate>Fri, 02 Jan 2026 03:04:05</pubDate></item>"
        ),
        [A | {"lastmod": "2026-01-02T03:04:05", "published": "2026-01-02T03:04:05"}],
        [],
    ),
    Policy(
        "HTML's named characters in a feed",
        "Undone from a table, with a warning where no DOCTYPE may declare them.",
        _rss("<item><title>Caf&eacute;&nbsp;1</title><link>https://e.example/a</link></item>"),
        [A | {"title": "Caf\u00e9\u00a01"}],
        ["malformed", "malformed"],
    ),
    Policy(
        "Time zone by name",
        "Names of RFC 822 and those that mean one offset (`AEST`, `HKT` …) are read; `CST`, `MST` "
        "and `PST` are American, `BST` is British. With another (`IST` …) the local time is kept, "
        "with a warning.",
        _rss(
            "<item><link>https://e.example/a</link>"
            "<pubDate>Wed, 08 May 2024 08:53:11 IST</pubDate></item>"
        ),
        [A | {"lastmod": "2024-05-08T08:53:11", "published": "2024-05-08T08:53:11"}],
        ["unknown-zone"],
    ),
]
