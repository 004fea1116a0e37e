"""The codes that `check` finds in feeds with one peculiarity each."""

from pathlib import Path

import pytest

from sitemapx.check import check

NAMESPACES = """\
xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" \
xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
xmlns:georss="http://www.georss.org/georss" \
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:admin="http://webns.net/mvcb/" \
"""
RSS = f"""\
<rss version="2.0" {NAMESPACES}><channel>
<title>T</title><link>https://example.org/</link><description>D</description>
<language>en</language><itunes:category text="Arts"/><itunes:explicit>false</itunes:explicit>
<itunes:image href="https://example.org/a.png"/>
<atom:link rel="self" href="https://example.org/feed"/>%s
<item><title>A</title><link>https://example.org/a</link><guid>https://example.org/a</guid>
<pubDate>Mon, 01 Jun 2026 10:00:00 GMT</pubDate>%s</item>
</channel></rss>
"""
ATOM = """\
<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>https://example.org/</id>
<link rel="self" href="https://example.org/feed"/><updated>2026-06-01T10:00:00Z</updated>%s
%s</feed>
"""
AUTHOR = "<author><name>A</name></author>"
ENTRY = """\
<entry><title>A</title><id>https://example.org/a</id><updated>2026-06-01T10:00:00Z</updated>
<link href="https://example.org/a"/></entry>
"""


def codes_of(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    return [finding.code for finding in check([str(path)]).findings]


@pytest.mark.parametrize(
    ("in_channel", "in_item", "codes"),
    [
        ("", "", []),
        ("", "stray", ["unexpected-text"]),
        ("", "<enclosure url='https://e.org/' length='1' type='a/b'/>" * 2, ["several-enclosures"]),
        ("", "<media:content url='https://e.org/' fileSize='0'/>", ["empty-value"]),
        ("", "<media:content medium='image'/>", ["missing-attribute"]),
        ("", "<media:content><media:player url='https://e.org/'/></media:content>", []),
        (
            "",
            "<media:rating scheme='urn:icra'>r (cz 1 lz 1 nz 1 oz 1 vz 1)</media:rating>",
            [],
        ),
        ("", "<media:rating scheme='urn:icra'>r (mz 1)</media:rating>", ["bad-value"]),
        ("", "<itunes:duration>62:03</itunes:duration>", []),
        ("", "<itunes:duration>1:62:03</itunes:duration>", ["bad-value"]),
        ("", "<itunes:block>false</itunes:block>", []),
        ("", "<georss:point>+45.5 .5</georss:point>", []),
        ("", "<georss:point>45.5</georss:point>", ["bad-number"]),
        ("", "<georss:point>1 2 3 4</georss:point>", ["bad-number"]),
        ("", "<georss:box>1 2 3 4</georss:box>", []),
        ("", "<georss:line>1 2</georss:line>", ["bad-number"]),
        ("", "<georss:polygon>1 2 3 4 5 6 1 2</georss:polygon>", []),
        ("", "<georss:polygon>1 2 3 4 1 2</georss:polygon>", ["bad-number"]),
        ("", "<georss:elev>-3.5</georss:elev>", []),
        ("<itunes:owner><itunes:name>A</itunes:name></itunes:owner>", "", ["missing-recommended"]),
        ("<admin:generatorAgent rdf:resource='https://e.org/?v=1'/>", "", []),
        ("<admin:generatorAgent resource='https://e.org/?v=1'/>", "", ["missing-attribute"]),
    ],
)
def test_rss(tmp_path: Path, in_channel: str, in_item: str, codes: list[str]) -> None:
    assert codes_of(tmp_path / "feed.rss", RSS % (in_channel, in_item)) == codes


@pytest.mark.parametrize(
    ("in_feed", "entries", "codes"),
    [
        (AUTHOR, ENTRY, []),
        ("", ENTRY + AUTHOR, ["metadata-after-items"]),
        ("", ENTRY, ["missing-element"]),
        (AUTHOR, ENTRY.replace("<entry", "<entry xml:lang='en_US'"), ["bad-language"]),
        (AUTHOR, ENTRY.replace("/a'", "/a#b#c'").replace('/a"', '/a#b#c"'), ["bad-url"]),
        (AUTHOR, ENTRY.replace("</id>", "#b#c</id>"), ["bad-id", "id-not-normalized"]),
        ("<author><name>A &lt;a@example.org></name></author>", ENTRY, ["content-mismatch"]),
        (AUTHOR + "<link rel='related' href=''/>", ENTRY, ["relative-url"]),
    ],
)
def test_atom(tmp_path: Path, in_feed: str, entries: str, codes: list[str]) -> None:
    found = codes_of(tmp_path / "feed.atom", ATOM % (in_feed, entries))
    assert sorted(set(found) - {"loc-fragment"}) == sorted(codes)


def test_author_after_many_entries_counts(tmp_path: Path) -> None:
    entries = "".join(ENTRY.replace("/a", f"/{number}") for number in range(2000))
    found = codes_of(tmp_path / "feed.atom", ATOM % ("", entries + AUTHOR))
    assert "missing-element" not in found
    assert "missing-element" in codes_of(tmp_path / "feed.atom", ATOM % ("", entries))


def test_podcast_with_metadata_after_many_items_is_complete(tmp_path: Path) -> None:
    start, item, end = (RSS % ("", "")).partition("<item>")
    items = (item + end.removesuffix("</channel></rss>\n")) * 1000
    text = f"{start}{items}<itunes:author>A</itunes:author></channel></rss>"
    assert "podcast-incomplete" not in codes_of(tmp_path / "feed.rss", text)


@pytest.mark.parametrize("version", ["0.91", "0.92"])
def test_old_version_is_deprecated(tmp_path: Path, version: str) -> None:
    text = (RSS % ("", "")).replace('version="2.0"', f'version="{version}"')
    assert codes_of(tmp_path / "feed.rss", text) == ["deprecated"]


def test_item_of_rss10_inside_the_channel_needs_about(tmp_path: Path) -> None:
    text = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/"><channel rdf:about="https://example.org/"><title>T</title>
        <link>https://example.org/</link><description>D</description><items><rdf:Seq>
        <rdf:li %s="https://example.org/a"/></rdf:Seq></items>
        <item%s><title>A</title><link>https://example.org/a</link></item></channel></rdf:RDF>"""
    about = ' rdf:about="https://example.org/a"'
    path = tmp_path / "feed.rdf"
    assert "missing-attribute" not in codes_of(path, text % ("rdf:resource", about))
    assert "missing-attribute" in codes_of(path, text % ("rdf:resource", ""))
    assert "missing-attribute" in codes_of(path, text % ("rdf:ressource", about))
