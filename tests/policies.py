"""
Policies where other tools decide differently, each with an example.

`test_docs.py` generates the table of docs/policies.md from this list.
"""

from typing import Any, NamedTuple

SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'


class Policy(NamedTuple):
    """A question, the answer, and a source with the entries and codes that result from it."""

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
        "Not processed: nothing is expanded or fetched. The entries are read; an undeclared entity "
        "is kept as text.",
        b'<!DOCTYPE urlset [<!ENTITY x "boom">]>' + _urlset(_url("https://e.example/a?&x;")),
        [{"loc": "https://e.example/a?&x;"}],
        ["doctype", "malformed"],
    ),
    Policy(
        "File that ends too early",
        "All complete entries are kept; the incomplete one is dropped, with an error (status 1).",
        _urlset(_a, _b)[:-22],
        [A],
        ["truncated"],
    ),
    Policy(
        "Markup that is not well-formed",
        "Only the entry with the defect is skipped, or fixed if the fix is unambiguous; all others "
        "are read.",
        _urlset(_a, "</url>", _url("https://e.example/?p=1&q=2")),
        [A, {"loc": "https://e.example/?p=1&q=2"}],
        ["stray-content", "unescaped"],
    ),
    Policy(
        "Wrong or missing namespace",
        "Read as if it were correct, with a warning; the correct one is written.",
        _urlset(_a, root='urlset xmlns="https://www.google.com/schemas/sitemap/0.84"'),
        [A],
        ["namespace"],
    ),
    Policy(
        "Whitespace or a byte order mark before the XML declaration",
        "Ignored without a warning.",
        b'\n \xef\xbb\xbf<?xml version="1.0"?>' + _urlset(_a),
        [A],
        [],
    ),
    Policy(
        "Encoding",
        "A byte order mark takes precedence over the declaration. Content that is not valid UTF-8 "
        "is read as windows-1252, with a warning. The `Content-Type` header is ignored.",
        _urlset(_url("https://e.example/caf\u00e9")).decode().encode("latin-1"),
        [{"loc": "https://e.example/caf\u00e9"}],
        ["wrong-encoding"],
    ),
    Policy(
        "Empty urlset",
        "No entries and a warning, status 0: Google accepts an empty news sitemap. It does not "
        "replace an output that has entries, unless you pass `--allow-empty` or `--partial`.",
        _urlset(),
        [],
        ["empty"],
    ),
    Policy(
        "Order of the elements",
        "Read in any order, written in the order of the official schema.",
        _urlset("<url><lastmod>2026-01-02</lastmod><loc>https://e.example/a</loc></url>"),
        [A | {"lastmod": "2026-01-02"}],
        [],
    ),
    Policy(
        "URLs outside the directory or host of the sitemap",
        "Kept: robots.txt and Search Console decide whether they are allowed.",
        _urlset(_a),
        [A],
        [],
        "https://other.example/maps/sitemap.xml",
    ),
    Policy(
        "Relative URL",
        "Resolved against the URL of the source (`--source-url`), with a warning; skipped if that "
        "is unknown. In a URL list, only absolute URLs are read.",
        _urlset(_url("/a")),
        [A],
        ["relative-loc"],
        "https://e.example/maps/sitemap.xml",
    ),
    Policy(
        "URL of 2,048 characters or more",
        "Read; skipped with a warning when a sitemap or URL list is written.",
        _urlset(_url(_LONG)),
        [{"loc": _LONG}],
        [],
    ),
    Policy(
        "Two `<loc>` in one entry",
        "The first is used; the others are reported.",
        _urlset("<url><loc>https://e.example/a</loc><loc>https://e.example/b</loc></url>"),
        [A],
        ["repeated-element"],
    ),
    Policy(
        "URL in `<url>` without `<loc>`",
        "Read, with a warning.",
        _urlset("<url>https://e.example/a</url>"),
        [A],
        ["repaired-loc"],
    ),
    Policy(
        "The same URL twice",
        "Both are kept: no protocol forbids it, and the second may have more data. `--unique` "
        "keeps the first. In a feed, each ID is written once, since readers identify items by it.",
        _urlset(_a, _a),
        [A, A],
        [],
    ),
    Policy(
        "Invalid priority",
        "Dropped with a warning; no default replaces it.",
        _urlset(_url(A["loc"], "<priority>5</priority>")),
        [A],
        ["bad-priority"],
    ),
    Policy(
        "Invalid date",
        "Dropped with a warning; sitemapx never guesses a date.",
        _urlset(_url(A["loc"], "<lastmod>2026-02-30</lastmod>")),
        [A],
        ["bad-date"],
    ),
    Policy(
        "Time without a zone",
        "Kept; only its day is written to XML sitemaps, with a warning.",
        _urlset(_url(A["loc"], "<lastmod>2026-01-02T03:04:05</lastmod>")),
        [A | {"lastmod": "2026-01-02T03:04:05"}],
        [],
    ),
    Policy(
        "`xhtml:link` without hreflang",
        "Kept with its attributes (`media`, `rel=amphtml`, app links).",
        _urlset(_url(A["loc"], '<xhtml:link rel="amphtml" href="https://e.example/amp"/>')),
        [A | {"alternates": [{"href": "https://e.example/amp", "rel": "amphtml"}]}],
        [],
    ),
    Policy(
        "Lines in a URL list that are not URLs",
        "Skipped with a warning; blank lines, spaces, CR and a byte order mark are ignored.",
        b"\xef\xbb\xbfOur pages\r\nhttps://e.example/a \r\n\r\nhttps://e.example/b\r\n",
        [A, B],
        ["not-a-url"],
    ),
    Policy(
        "`guid` as URL",
        "Used if the item has no http(s) `link`, and the `guid` is a URL and not marked as "
        "`isPermaLink=false`; else it is only the ID.",
        _rss(
            '<item><guid isPermaLink="false">https://e.example/a</guid></item>',
            "<item><guid>https://e.example/b</guid></item>",
        ),
        [{"id": A["loc"]}, B | {"id": B["loc"]}],
        [],
    ),
    Policy(
        "Item or entry without a link",
        "Kept in feeds and JSON Lines by its ID; skipped with a warning in formats that require a "
        "URL.",
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>https://e.example/a</id></entry></feed>',
        [{"id": A["loc"]}],
        [],
    ),
    Policy(
        "Several links",
        "The first `alternate` is used, HTML before other types; never `self`, `edit` or "
        "`enclosure`. The others are reported.",
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry>'
        b'<link rel="self" href="https://e.example/s"/>'
        b'<link type="application/json" href="https://e.example/j"/>'
        b'<link rel="alternate" type="text/html" href="https://e.example/a"/></entry></feed>',
        [A],
        ["ignored-element"],
    ),
    Policy(
        "`pubDate` without a zone",
        "Kept without a zone; UTC is not assumed.",
        _rss(
            "<item><link>https://e.example/a</link>"
            "<pubDate>Fri, 02 Jan 2026 03:04:05</pubDate></item>"
        ),
        [A | {"lastmod": "2026-01-02T03:04:05", "published": "2026-01-02T03:04:05"}],
        [],
    ),
    Policy(
        "HTML entities in a feed",
        "Decoded, with a warning unless a DOCTYPE may declare them.",
        _rss("<item><title>Caf&eacute;&nbsp;1</title><link>https://e.example/a</link></item>"),
        [A | {"title": "Caf\u00e9\u00a01"}],
        ["malformed", "malformed"],
    ),
    Policy(
        "Named time zone",
        "Names of RFC 822 and unambiguous ones (`AEST`, `HKT` …) are read; `CST`, `MST` and `PST` "
        "are American, `BST` is British. With an ambiguous one (`IST` …), the local time is kept "
        "without a zone, with a warning.",
        _rss(
            "<item><link>https://e.example/a</link>"
            "<pubDate>Wed, 08 May 2024 08:53:11 IST</pubDate></item>"
        ),
        [A | {"lastmod": "2024-05-08T08:53:11", "published": "2024-05-08T08:53:11"}],
        ["unknown-zone"],
    ),
]
