"""
Loops that people write with other libraries: `python loops.py NAME FILE...`.

Each loop reads the files and prints the URLs, or all fields as JSON Lines. Packages are imported by
name, so that this file can be run and type-checked without some of them.
"""

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

PACKAGES = (
    *("lxml", "ultimate-sitemap-parser", "advertools", "scrapy", "feedparser", "fastfeedparser"),
)


def _urls_of(path: str) -> Iterator[Any]:
    etree: Any = import_module("lxml.etree")
    source = gzip.open(path) if path.endswith(".gz") else path
    for _, url in etree.iterparse(source, tag="{*}url", remove_comments=True):
        yield url
        url.clear()
        while url.getprevious() is not None:
            del url.getparent()[0]


def lxml_text(path: str) -> None:
    """Parse with lxml; create a dict of the fields of each <url>, and print its URL."""
    for url in _urls_of(path):
        fields = {child.tag.rpartition("}")[2]: child.text for child in url}
        print(fields["loc"].strip())


def lxml_text_nested(path: str) -> None:
    """Like `lxml_text`, but the dict also has nested elements."""
    for url in _urls_of(path):
        print(_fields_of(url)["loc"].strip())


def lxml_loc(path: str) -> None:
    """Parse with lxml; print the URL of each <url> without reading other fields."""
    for url in _urls_of(path):
        print(url.findtext("{*}loc").strip())


def lxml_json(path: str) -> None:
    """Parse with lxml; print the fields of each <url> as JSON."""
    for url in _urls_of(path):
        print(json.dumps({child.tag.rpartition("}")[2]: child.text for child in url}))


def lxml_json_nested(path: str) -> None:
    """Like `lxml_json`, but with nested elements, which may be repeated."""
    for url in _urls_of(path):
        print(json.dumps(_fields_of(url)))


def _fields_of(element: Any) -> dict[str, Any]:
    fields: dict[str, Any] = dict(element.attrib)
    for child in element:
        name = child.tag.rpartition("}")[2]
        value = _fields_of(child) if len(child) or child.attrib else child.text
        if name not in fields:
            fields[name] = value
        elif isinstance(fields[name], list):
            fields[name].append(value)
        else:
            fields[name] = [fields[name], value]
    return fields


def _pages_of(folder: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the indexable pages of a directory, with the facts for a sitemap or feed."""
    html: Any = import_module("lxml.html")
    for path in sorted(Path(folder).rglob("*.html")):
        page = html.parse(str(path)).getroot()
        fields = {"title": page.findtext(".//title"), "language": page.get("lang")}
        for meta in page.iter("meta"):
            fields[meta.get("name") or meta.get("property")] = meta.get("content")
        for link in page.iter("link"):
            fields[link.get("hreflang") or link.get("rel")] = link.get("href")
        if "noindex" not in (fields.get("robots") or ""):
            yield page, fields


def lxml_pages(folder: str) -> None:
    """Parse the pages of a directory with lxml.html, and print their canonical URLs."""
    for _, fields in _pages_of(folder):
        print(fields["canonical"])


def lxml_digests(folder: str) -> None:
    """Like `lxml_pages`, but also hash the text of each page, as sitemapx does to date changes."""
    hashlib: Any = import_module("hashlib")
    for page, fields in _pages_of(folder):
        content = next(page.iter("main", "article"), page.find("body"))
        for hidden in [*content.iter("script", "style", "nav", "header", "footer")]:
            hidden.drop_tree()
        text = " ".join(content.text_content().split())
        print(fields["canonical"], hashlib.sha256(text.encode()).hexdigest())


def usp(path: str) -> None:
    tree: Any = import_module("usp.tree")
    sitemap = tree.sitemap_from_str(Path(path).read_text(encoding="utf-8"))
    for page in sitemap.all_pages():
        print(page.url)


def usp_web(url: str) -> None:
    fetch_parse: Any = import_module("usp.fetch_parse")
    client: Any = import_module("usp.web_client.requests_client")
    fetcher = fetch_parse.SitemapFetcher(url, 0, web_client=client.RequestsWebClient())
    for page in fetcher.sitemap().all_pages():
        print(page.url)


def advertools(path: str) -> None:
    module: Any = import_module("advertools")
    for loc in module.sitemap_to_df(Path(path).as_uri())["loc"]:
        print(loc)


def advertools_call(path: str) -> None:
    """Print the median seconds of five calls of advertools, without imports."""
    module: Any = import_module("advertools")
    seconds = []
    for _ in range(5):
        start = perf_counter()
        module.sitemap_to_df(Path(path).as_uri())
        seconds.append(perf_counter() - start)
    print(median(seconds))


def scrapy(path: str) -> None:
    """Parse with the parser of Scrapy's SitemapSpider, and print the URLs."""
    module: Any = import_module("scrapy.utils.sitemap")
    for fields in module.Sitemap(Path(path).read_bytes()):
        print(fields["loc"])


def feedparser(path: str) -> None:
    module: Any = import_module("feedparser")
    for entry in module.parse(path).entries:
        print(entry.link)


def fastfeedparser(path: str) -> None:
    module: Any = import_module("fastfeedparser")
    for entry in module.parse(Path(path).read_bytes()).entries:
        print(entry.link)


def fastfeedparser_json(path: str) -> None:
    """Print all fields that fastfeedparser extracts from a feed."""
    module: Any = import_module("fastfeedparser")
    for entry in module.parse(Path(path).read_bytes()).entries:
        print(json.dumps(entry))


def versions() -> None:
    """Print the versions of installed packages as JSON."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    print(json.dumps(found))


LOOPS: dict[str, Callable[[str], None]] = {
    "lxml-text": lxml_text,
    "lxml-text-nested": lxml_text_nested,
    "lxml-loc": lxml_loc,
    "lxml-json": lxml_json,
    "lxml-json-nested": lxml_json_nested,
    "lxml-pages": lxml_pages,
    "lxml-digests": lxml_digests,
    "usp": usp,
    "usp-web": usp_web,
    "advertools": advertools,
    "advertools-call": advertools_call,
    "scrapy": scrapy,
    "feedparser": feedparser,
    "fastfeedparser": fastfeedparser,
    "fastfeedparser-json": fastfeedparser_json,
}

if __name__ == "__main__":
    if sys.argv[1:] == ["versions"]:
        versions()
    else:
        for name in sys.argv[2:]:
            LOOPS[sys.argv[1]](name)
