"""Well-formed feeds, read by our readers, give the same entries as with feedparser."""

import io
import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemapx.convert import Context, Entry, read
from sitemapx.convert.formats.feeds.loose import read_loosely
from sitemapx.convert.html.text import plain_text
from sitemapx.convert.values.w3cdate import moment

URL = "https://base.example/feed"

#: Field and case in which feedparser has another result -> why ours differs.
APART = {
    ("loc", "rdf_item_description"): "it does not take rdf:about for a link",
    ("id", "entity_in_doctype"): "it expands an entity of the DTD",
    ("published", "rss1.0withModulesNoDefNSLocalNameClash"): "it takes dc:date for a publication",
    ("authors", "rss_1.0_spec_2"): "it splits a name at an address in parentheses",
    ("categories", "mrss_media"): "it takes media:category for a category of the page",
    ("categories", "test2media"): "the same",
}


def _normalize(name: str, value: Any) -> Any:
    if name in ("lastmod", "published"):
        return value and moment(value).replace(microsecond=0)
    return " ".join(unescape(plain_text(value or "")).split()) if name == "title" else value


def _read_feeds(shared: Path) -> Iterator[tuple[str, bytes]]:
    for line in (shared / "corpus" / "manifest.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case["kind"] not in ("rss", "mrss", "atom"):
            continue
        data = (shared / "corpus" / case["file"]).read_bytes()
        try:
            etree.fromstring(data, etree.XMLParser(resolve_entities=False))
        except etree.XMLSyntaxError:
            continue
        yield case["id"], data


@pytest.fixture(scope="module")
def pairs(shared: Path) -> list[tuple[str, Entry, Entry]]:
    """Read every well-formed feed of the corpus with both parsers, entry by entry."""
    result: list[tuple[str, Entry, Entry]] = []
    for case, data in _read_feeds(shared):
        ours = list(read(io.BytesIO(data), source_url=URL))
        theirs = list(read_loosely(data, Context(url=URL)))
        if len(ours) < len(theirs):  # empty items are skipped
            theirs = [entry for entry in theirs if entry != Entry()]
        assert len(ours) == len(theirs), case
        result += ((case, item, other) for item, other in zip(ours, theirs, strict=True))
    assert len(result) > 500
    return result


@pytest.mark.parametrize(
    "name", ["loc", "id", "title", "lastmod", "published", "authors", "categories", "enclosures"]
)
def test_feedparser_reads_the_same_field(pairs: list[tuple[str, Entry, Entry]], name: str) -> None:
    differing: list[tuple[str, Any, Any]] = []
    for case, item, other in pairs:
        if any(name == field and part in case for field, part in APART):
            continue
        if name == "authors" and not other.authors:
            continue  # feedparser does not hand down those of the feed (RFC 4287, 4.2.1)
        expected, result = (_normalize(name, getattr(e, name)) for e in (other, item))
        if expected != result:
            differing.append((case, expected, result))

    assert [] == differing
