"""References are resolved as an XML parser does."""

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemapx.convert.xml.plain import resolve_references
from tests.effort import examples

_PARTS = [
    "&amp;",
    "&lt;",
    "&#38;",
    "&#x26;",
    "&#60;",
    "&quot;",
    "&apos;",
    "&gt;",
    "lt;",
    "#38;",
    "a",
]
_PARTS += [f"&#{code};" for code in range(200, 220)]


@given(st.lists(st.sampled_from(_PARTS), max_size=30))
@examples(300)
def test_references_are_resolved_once(parts: list[str]) -> None:
    text = "".join(parts)
    assert resolve_references(text) == (etree.fromstring(f"<a>{text}</a>").text or "")


def test_escaped_ampersand_starts_no_reference() -> None:
    entities = {"lt": "<", "gt": ">", "quot": '"', "apos": "'"}
    numbers = ("38", "038", "0038", "x26", "x026")
    pairs = [(f"&#{n};{e};&{e};", f"&{e};{c}") for n in numbers for e, c in entities.items()]

    assert "".join(plain for _, plain in pairs) == resolve_references(
        "".join(text for text, _ in pairs)
    )
