"""Findings in feeds are the same with and without the quick tests of elements."""

from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from lxml import etree

from sitemapx.check.feeds import markup, validator
from sitemapx.convert.xml.elements import line_of
from sitemapx.convert.xml.parsers import XmlElement, parse

ROOT = Path(__file__).parent.parent.parent.parent
FOLDERS = (ROOT / "tests", ROOT / "samples", ROOT.parent / "shared" / "corpus" / "w3c-feeds")
SUFFIXES = (".rss", ".atom", ".rdf", ".xml", "out")
FEEDS = (b"<rss", b"<feed", b"<rdf:RDF", b"<entry")
XML = "{http://www.w3.org/XML/1998/namespace}"

TEXTS = (
    *(
        "",
        " ",
        "x",
        " x ",
        "\u00a0",
        "a & b",
        "&amp;",
        "&nbsp;",
        "&lt;p>",
        "<",
        "a < b",
        "<!-- x -->",
    ),
    *("<b>x</b>", "<B>x</B>", "<x:y>", "<foo>", "<p", "<?import x?>", "<svg><path/></svg>"),
    *("<a href='x'>", '<a href="/x">', '<a href="#x">', '<a href="https:x">', '<a href="//e.org">'),
    *('<a href="javascript:x">', '<img src="data:x">', '<a title="a>b">', '<a id="x"onclick="y">'),
    *('<p onclick="x">', "<script>x</script>", "<form>", "<iframe src='https://e.org'>"),
    *('<p style="font-size:0">', '<p style="font-size: 0.5em">', '<p style="color:url(x)">'),
    *('<p style="margin: mso-x">', '<p style="mso-x: 1">', '<p style="color: red; display:none">'),
    *('<p style="width: expression(1)">', '<p style="position:fixed">', '<p style="color: \\72">'),
    *("Mon, 01 Jun 2026 10:00:00 GMT", "Tue, 01 Jun 2026 10:00:00 GMT", "Mon, 01 Jun 26 10:00 Z"),
    *("Mon, 01 Jun 2026 10:00:00 +0017", " Mon, 01 Jun 2026 10:00:00 GMT", "2026-06-01"),
    *("2026-06-01T10:00:00Z", "2026-06-01T10:00:00", "2026-06-01T25:00:00Z"),
    *("http://e.org", "http://E.org/", "HTTP://e.org/", "http://e.org:80/", "http://e.org/a/../b"),
    *("http://", "https://", "https://e.org/a b", "https://e.org/%zz", "https://e.org/%41"),
    *("https://e.org/#a#b", "https://e.org/{x}", "https://e.org/\u00e4", "https://u@e.org/"),
    *("urn:uuid:1", "tag:x,2026:1", "tag:e.org,2026:1", "/a", "#a", "mailto:a@e.org"),
    *("a@e.org", "a@e.org (A)", "-1", "1", "1.5", "true", "True", "yes", "12:00", "en", "en_US"),
    *("text", "html", "xhtml", "text/html", "text/html;", 'video/mp4; codecs="a"', "self"),
)
ATTRIBUTES = (
    *("isPermaLink", "type", "href", "rel", "url", "length", "term", "scheme", "label", "src"),
    *("domain", "title", "hreflang", "unknown", "{urn:x}y", f"{XML}lang", f"{XML}base"),
)


def collect_feeds() -> list[bytes]:
    """Return the small feeds of the project, and of the corpus if it is available."""
    files = (path for folder in FOLDERS for path in sorted(folder.rglob("*")))
    found = (path.read_bytes() for path in files if path.is_file() and path.name.endswith(SUFFIXES))
    return [data for data in found if len(data) < 15_000 and any(tag in data for tag in FEEDS)]


def mutate(root: XmlElement, random: Random) -> None:
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    for _ in range(random.randint(0, 3)):
        element, text = random.choice(elements), random.choice(TEXTS)
        parent = element.getparent()
        with suppress(ValueError):  # XML does not allow the text
            match random.choice(("text", "tail", "set", "delete", "repeat", "remove", "nest")):
                case "text":
                    element.text = text
                case "tail" if parent is not None:
                    element.tail = text
                case "set":
                    element.set(random.choice((*ATTRIBUTES, *element.keys())), text)
                case "delete" if element.keys():
                    del element.attrib[random.choice(element.keys())]
                case "repeat" if parent is not None:
                    element.addnext(deepcopy(element))
                case "remove" if parent is not None:
                    parent.remove(element)
                case "nest":
                    etree.SubElement(element, random.choice(elements).tag).text = text


def validate(root: XmlElement) -> Sequence[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []

    def report(element: XmlElement, code: str, message: str) -> None:
        found.append((line_of(element, 0) or 0, code, message))

    feed_validator = validator.FeedValidator(report, lambda *defect: lambda: report(*defect))
    feed_validator.validate(root, is_head=True)
    found += [(0, code, message) for code, message in feed_validator.finish()]
    return sorted(found, key=str)


def validate_fully(root: XmlElement) -> Sequence[tuple[int, str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validator, "usual_of", lambda rule: lambda element: False)
        patch.setattr(validator.FeedValidator, "_describe", lambda *arguments: None)
        patch.setattr(markup, "is_usual_html", lambda text: False)
        return validate(root)


@pytest.mark.parametrize("seed", range(8))
def test_findings_are_the_same_without_quick_tests(seed: int) -> None:
    random, feeds = Random(seed), collect_feeds()
    count = 0
    for _ in range(1000):
        root = parse(random.choice(feeds))
        if root is not None:
            mutate(root, random)
            found = validate_fully(root)
            count += bool(found)
            assert validate(root) == found, etree.tostring(root, encoding="unicode")
    assert count > 300
