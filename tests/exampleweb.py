"""
The site that the recipes of the documentation use, and a mock of the web that serves the site.

The web is a proxy on loopback with its own certificates. It serves directories as the sites of the
documentation, and accepts requests to all other hosts.
"""

import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import trustme

from tests.servers import Answer, Handler, Server

__all__ = ["OTHERS", "make_site", "web"]

URLSET = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc><lastmod>2026-01-05</lastmod></url>
<url><loc>https://example.com/about/</loc><lastmod>2026-01-05</lastmod></url>
</urlset>
"""
INDEX = """<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/sitemap-0.xml</loc></sitemap>
</sitemapindex>
"""
CRAWL = """"Address","Content Type","Status Code","Indexability","Title 1","Last Modified"
"https://example.com/","text/html","200","Indexable","Home","Mon, 05 Jan 2026 10:00:00 GMT"
"https://example.com/old","text/html","301","Non-Indexable","",""
"https://example.com/about/","text/html","200","Indexable","About",""
"""
FEED = """<rss version="2.0"><channel><title>Times</title><link>https://example.com/</link>
<description>News</description><language>en-GB</language>
<item><title>Storm</title><link>https://example.com/storm</link>
<pubDate>Mon, 21 Sep 2026 04:13:20 GMT</pubDate></item></channel></rss>
"""
EXPORT = """<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Times</title><link>https://example.com/</link><description>News</description>
<item><title>Storm</title><link>https://example.com/storm</link><wp:status>publish</wp:status>
</item></channel></rss>
"""
VERSIONS = """en,de-AT,x-default
https://example.com/,https://example.com/de/,https://example.com/
https://example.com/visit,https://example.com/de/besuch,
"""
LINK = 'xhtml:link rel="alternate" hreflang'
ONE_LANGUAGE = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>https://example.com/</loc>
<{LINK}="en" href="https://example.com/"/><{LINK}="de" href="https://example.com/de/"/></url>
</urlset>
"""
FEEDS = """<opml version="2.0"><body><outline text="Blog">
<outline text="News" type="rss" xmlUrl="https://example.com/feed.xml"/>
</outline></body></opml>
"""
BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><A HREF="https://example.com/" ADD_DATE="1700000000">Home</A></DL>
"""
PAGE = "<!doctype html><title>A page</title><h1>A page</h1>"
_SITE = {
    **{
        f"{top}/{page}": PAGE
        for top in ("public", "out", "dist", "_site")
        for page in ("index.html", "about/index.html")
    },
    "public/sitemap.xml": URLSET,
    "dist/sitemap-0.xml": URLSET,
    "dist/sitemap-index.xml": INDEX,
    "public/robots.txt": "User-agent: *\nDisallow:\n\nSitemap: https://example.com/sitemap.xml\n",
    "public/sitemap_index.xml": INDEX,
    "public/wp-sitemap.xml": INDEX,
    "public/sitemap-0.xml": URLSET,
    "public/feed": FEED,
    "public/feed.xml": FEED,
    "v1/sitemap.xml": URLSET,
    "v2/sitemap.xml": URLSET,
    **dict.fromkeys(("sitemap.xml", "sitemap.xml.gz", "old.xml", "pages.xml"), URLSET),
    "theirs.xml": URLSET,
    **dict.fromkeys(("urls.txt", "shop.txt", "more.txt"), "https://example.com/shop/\n"),
    "export.csv": "loc\nhttps://example.com/\n",
    "blog.jsonl": '{"loc": "https://example.com/blog/"}\n',
    "required.txt": "/about/\n",
    "internal_all.csv": CRAWL,
    "feed.xml": FEED,
    "wordpress.xml": EXPORT,
    "feeds.opml": FEEDS,
    "versions.csv": VERSIONS,
    "one-language.xml": ONE_LANGUAGE,
    "bookmarks.html": BOOKMARKS,
    "Pages.csv": "Top pages,Clicks\nhttps://example.com/,5\n",
    "urls.json": '[{"url": "/", "img": "/tower.jpg"}]',
    "content/_index.md": "# Home",
    "src/pages/index.astro": "<h1>Home</h1>",
    "app/page.tsx": "export default function Home() {}",
}
#: Third-party programs that recipes call; each records its arguments.
OTHERS = ("hugo", "npx", "lychee", "pa11y-ci", "pip", "unlighthouse-ci")
#: Host, including its subdomains -> published directory.
_HOSTS = {"example.com": "public", "new.example": "new"}


_TYPES = {".xml": "application/xml", ".txt": "text/plain", ".html": "text/html"}


class Web(Server):
    """A proxy that answers for all hosts itself."""

    def __init__(self, folder: Path, authority: trustme.CA) -> None:
        super().__init__("127.0.0.1", 0, None, _WebHandler)
        self._folder, self._authority = folder, authority

    def context_of(self, host: str) -> ssl.SSLContext:
        """Return a TLS context with a certificate for a host."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._authority.issue_cert(host).configure_cert(context)
        return context

    def answer_to(self, path: str, headers: dict[str, str]) -> Answer:
        """Record a request; serve a file of a site, or accept a request to another host."""
        super().answer_to(path, headers)
        url = urlsplit(path)
        site = ".".join((url.hostname or "").split(".")[-2:])
        if site not in _HOSTS:
            return Answer(b"{}")
        file = self._folder / _HOSTS[site] / url.path.lstrip("/")
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            return Answer(status=404)
        kind = _TYPES.get(file.suffix, "application/octet-stream")
        return Answer(file.read_bytes(), headers={"Content-Type": kind})


class _WebHandler(Handler):
    def do_CONNECT(self) -> None:  # noqa: N802
        host = self.path.partition(":")[0]
        self.send_response(200)
        self.end_headers()
        self.close_connection = False
        context = cast(Web, self.server).context_of(host)
        secure = context.wrap_socket(cast(socket.socket, self.connection), server_side=True)
        self.connection, self.origin = secure, f"https://{host}"
        self.rfile, self.wfile = secure.makefile("rb"), secure.makefile("wb", buffering=0)  # type: ignore[assignment]

    def finish(self) -> None:
        super().finish()
        self.connection.close()

    def do_POST(self) -> None:  # noqa: N802
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()


def make_site(folder: Path, key: str) -> None:
    """
    Write the files that the recipes read, and commit the sources of the site to a repository.

    Args:
        folder: Directory for the files.
        key: IndexNow key that the sites publish.

    """
    for name, text in (_SITE | {f"public/{key}.txt": key}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "Start")):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    (folder / "tools").mkdir()
    for name in OTHERS:
        (folder / "tools" / name).write_text('#!/bin/sh\necho "$(basename "$0") $*" >>calls\n')
        (folder / "tools" / name).chmod(0o755)


@contextmanager
def web(folder: Path) -> Iterator[dict[str, str]]:
    """Serve the sites in a directory; yield the environment for commands."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    with Web(folder, authority) as server, server.running():
        yield {
            "https_proxy": server.url,
            "http_proxy": server.url,
            "no_proxy": "",
            "REQUESTS_CA_BUNDLE": str(folder / "ca.pem"),
        }
