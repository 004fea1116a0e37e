"""Starts of XML files, and repeated pieces of the inputs that once were slowest."""

__all__ = [
    "ALL_START",
    "FEED_START",
    "PIECES",
    "PLAIN_START",
    "RICH_START",
    "SITE",
    "SITEMAP",
    "XML",
]

SITE = "https://www.example.com/"

XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_GOOGLE = "http://www.google.com/schemas"
PLAIN_START = f'{XML}<urlset xmlns="{SITEMAP}">\n'
RICH_START = f"""{XML}<urlset xmlns="{SITEMAP}" xmlns:image="{_GOOGLE}/sitemap-image/1.1"
  xmlns:video="{_GOOGLE}/sitemap-video/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
"""
ALL_START = f"""{RICH_START[:-2]}
  xmlns:news="{_GOOGLE}/sitemap-news/0.9">
"""
FEED_START = f"""{XML}<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
  <title>All that is new</title>
  <link>{SITE}</link>
  <description>A page a line</description>
"""

#: Worst input: suffix, start of the file, template of a piece with a place for its number, end.
PIECES = {
    "ill-formed feed": (".rss", FEED_START, "<item><title>a & b <br></title></item>\n", "</rss>"),
    "ampersands in one URL": (".xml", f"{PLAIN_START}<url><loc>{SITE}", "&" * 40, "</urlset>"),
    "element names": (".xml", PLAIN_START, f"<url><loc>{SITE}</loc><e{{}}/></url>\n", "</urlset>"),
    "namespaces": (
        *(".xml", PLAIN_START),
        f"<url><loc>{SITE}</loc><x:e xmlns:x='urn:{{}}'/></url>\n",
        "</urlset>",
    ),
    "undeclared prefixes": (
        *(".xml", PLAIN_START),
        f"<url><loc>{SITE}</loc><a{{0}}:x>1</a{{0}}:x></url>\n",
        "</urlset>",
    ),
    "unclosed quote": (".csv", 'loc,title\n"', f"{SITE}{{}},title\n", ""),
    "warnings": (
        *(".xml", PLAIN_START),
        f"<url><loc>{SITE}{{}}</loc><lastmod>2026-01-01T10:00Z</lastmod></url>\n",
        "</urlset>",
    ),
    "one line": (".xml", PLAIN_START, f"<url><loc>{SITE}?{{}}&b</loc></url>", "</urlset>"),
    "relative URLs in CSV": (".csv", "loc\n", "/page/{}\n", ""),
    "relative URLs": (".xml", PLAIN_START, "<url><loc>/page/{}</loc></url>\n", "</urlset>"),
    "bare urls": (".xml", PLAIN_START, "<url>", "</urlset>"),
    "bare items": (".rss", FEED_START, "<item>", "</rss>"),
    "empty urls": (".xml", PLAIN_START, "<url/>", "</urlset>"),
    "unclosed locs": (".xml", PLAIN_START, "<url><loc>", "</urlset>"),
    "unclosed titles": (".rss", FEED_START, "<item><title>", "</rss>"),
    "unclosed quotes": (
        ".xml",
        PLAIN_START,
        f'<url a="><loc>{SITE}{{}}</loc></url>\n',
        "</urlset>",
    ),
    "unclosed CDATA": (
        *(".xml", PLAIN_START),
        f"<url><loc><![CDATA[{SITE}{{}}</loc></url>\n",
        "</urlset>",
    ),
    "attributes of one tag": (".xml", f"{PLAIN_START}<url", " a{}=''", f"><loc>{SITE}</loc></url>"),
    "elements of one entry": (".xml", f"{PLAIN_START}<url>", "<e{}/>", "</url></urlset>"),
    "images of one entry": (".xml", f"{RICH_START}<url>", "<image:image/>", "</url></urlset>"),
    "lines of ampersands": (".xml", f"{PLAIN_START}<url><loc>{SITE}", "&\n", "</urlset>"),
    "brackets": (".jsonl", "", "[", ""),
}
