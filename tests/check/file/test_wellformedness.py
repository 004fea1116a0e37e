"""Files that are not well-formed are reported with the line and the cause."""

from pathlib import Path

import pytest

from sitemapx.check.file.wellformedness import defect_before_root, defect_in


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<a/>", ""),
        (b"", "the root element is missing, or has content before it"),
        (b"<a>\n<b>\n", "line 3: the file ends before all elements are closed"),
        (b"<a>\n<b>\n</a>", "line 3: an end tag does not match its start tag"),
        (b"<a/>\n<b/>", "line 2: something follows the end of the root element"),
        (b"<a b=c/>", "line 1: an attribute value is not quoted or has no end quote"),
        (b'<a b="1" b="2"/>', "line 1: an attribute occurs twice in one tag"),
        (b"<a>\n&nbsp;</a>", "line 2: an entity is not declared"),
        (b"<a>\n&#xZ;</a>", "line 2: a character reference is invalid"),
        (b"<a>\n\x01</a>", "line 2: a character is not allowed in XML"),
        (b"<a>\n\xff</a>", "line 2: bytes do not match the encoding"),
        (b"<a>\n<x:b/></a>", "line 2: a namespace prefix is not declared"),
        (
            b'\n<?xml version="1.0"?><a/>',
            "line 2: the XML declaration is not at the start of the file",
        ),
        (b'<a xmlns:b=""/>', "line 1: a namespace declaration is invalid"),
        (b'<a xmlns:b="urn: c"/>', "line 1: a namespace is not a valid URI"),
    ],
)
def test_defect_is_named_with_its_line(data: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(data)
    assert expected == defect_in(str(path))


@pytest.mark.parametrize(
    ("declared", "encoding", "expected"),
    [
        ("UTF-16", "utf-16", None),
        ("utf-16be", "utf-16-be", None),
        ("u16", "utf-16", "the encoding is UTF-16, but 'u16' is declared"),
        ("ISO-8859-1", "utf-16", "the encoding is UTF-16, but 'ISO-8859-1' is declared"),
        ("UTF-32", "utf-32", "the encoding is UTF-32, which few XML parsers know"),
        ("UTF-8", "utf-8", None),
    ],
)
def test_encoding_agrees_with_declaration(
    declared: str, encoding: str, expected: str | None
) -> None:
    start = f'<?xml version="1.0" encoding="{declared}"?>\n<urlset/>'.encode(encoding)
    assert (expected and (1, expected)) == defect_before_root(start)


def test_utf_16_needs_a_byte_order_mark() -> None:
    expected = 1, "the byte order mark of UTF-16 is missing"
    assert expected == defect_before_root("<urlset/>".encode("utf-16-le"))
    assert defect_before_root("<urlset/>".encode("utf-16")) is None
