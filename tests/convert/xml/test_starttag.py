"""The pattern that reads start tags agrees with the XML parser."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemapx.convert.xml.elements import split_name
from sitemapx.convert.xml.parsers import parse
from sitemapx.convert.xml.tags import StartTag, parse_usual_tag

_URIS = (
    *("http://www.sitemaps.org/schemas/sitemap/0.9", "https://a.b/"),
    *("http://[", "urn:x", "", "a b"),
)
_NAMES = ("xmlns", "xmlns:a", "xmlns:xsi", "xmlns:xml", "xmlns:xmlx", "xsi:schemaLocation", "a:b")
_BLANKS = (" ", "\n  ", "\t", "\r\n", "", "\x0b", "\xa0")
_attributes = st.builds(
    "{}{}={}{}{}".format,
    st.sampled_from(_BLANKS),
    st.sampled_from(_NAMES),
    st.shared(st.sampled_from("\"'"), key="quote"),
    st.sampled_from(_URIS),
    st.shared(st.sampled_from("\"'"), key="quote"),
)


@given(
    st.sampled_from(["urlset", "a:urlset", "urlsét", "u-s"]),
    st.lists(_attributes, max_size=4),
    st.sampled_from([">", " >", "/>", ""]),
)
@example("urlset", [f' xmlns="{_URIS[0]}"', ' xmlns:a="https://a.b/"'], ">")
@example("urlset", [' xmlns:xsi="https://a.b/"', ' xsi:schemaLocation="a b"'], ">")
def test_pattern_agrees_with_the_parser(name: str, attributes: list[str], end: str) -> None:
    tag = f"<{name}{''.join(attributes)}{end}".encode()
    if (result := parse_usual_tag(tag)) is None:
        return
    root = parse(tag + f"</{name}>".encode())

    assert root is not None
    assert result == StartTag(split_name(root), dict(root.nsmap))


@pytest.mark.parametrize(
    "attributes",
    [
        f'xmlns="{_URIS[0]}"',
        f'xmlns:image="https://a.b/"\n  xmlns="{_URIS[0]}" ',
        f'xmlns:xsi="https://a.b/" xsi:schemaLocation="{_URIS[0]} x.xsd" xmlns="{_URIS[0]}"',
    ],
)
def test_usual_tags_need_no_parser(attributes: str) -> None:
    assert parse_usual_tag(f"<urlset {attributes}>".encode()) is not None
