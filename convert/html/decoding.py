"""
Decode HTML pages much as browsers do.

The encoding is that of a byte order mark, else of an XML or `<meta>` declaration near the start:
https://html.spec.whatwg.org/#determining-the-character-encoding
Otherwise, the page is UTF-8 if valid, else windows-1252.
"""

import codecs
import re
from functools import lru_cache

from sitemapx.convert.html.tags import SPACES, Tags

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: Number of bytes in which to look for a declaration.
_START = 1024
_has_declaration = re.compile(rb"charset|encoding", re.IGNORECASE).search
_xml = re.compile(r"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)").match
_charset = re.compile(
    rf"charset[{SPACES}]*=[{SPACES}]*(?:\"([^\"]*)\"|'([^']*)'|([^{SPACES};\"']+))", re.IGNORECASE
).search
#: https://mimesniff.spec.whatwg.org/#binary-data-byte
_binary = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]").search
_SNIFFED = 1445
#: Python's names of the encodings that browsers support, besides UTF-8:
#: https://encoding.spec.whatwg.org/#names-and-labels
_KNOWN = frozenset(
    {
        *("cp866", "cp874", "cp932", "cp949", "big5hkscs", "euc_jp", "gb18030", "iso2022_jp"),
        *("koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"),
        *(f"cp{number}" for number in range(1250, 1259)),
        *(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    }
)
#: Encoding -> encoding that browsers use instead.
_MEANT = {
    **dict.fromkeys(("ascii", "iso8859-1", "x-user-defined"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "hz"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("iso8859-11", "tis-620", "tis620"), "cp874"),
    **dict.fromkeys(("euc_kr", "ks_c_5601-1987"), "cp949"),
    **dict.fromkeys(("utf-16", "utf-16-le", "utf-16-be"), "utf-8"),
    "big5": "big5hkscs",
    "iso8859-9": "cp1254",
    "x-x-big5": "big5hkscs",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
}


def is_binary(data: bytes) -> bool:
    """Return whether a file is binary, such as an image or archive, judging by its first bytes."""
    return not data.startswith(_UTF16) and _binary(data, 0, _SNIFFED) is not None


def decode_page(data: bytes) -> str:
    r"""
    Decode a page, replacing invalid bytes.

    >>> decode_page(b"caf\xe9"), decode_page("café".encode())
    ('café', 'café')
    >>> decode_page(b"<meta charset=iso-8859-2>\xb9")[-1]
    'š'
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, "replace")
    encoding = _find_declaration(data[:_START]) or ""
    if encoding in ("", "utf-8"):
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            # a truncated page may end within a character
            is_near_end = error.start > len(data) - len("\U00010000".encode())
            is_utf8 = encoding or (is_near_end and not data[: error.start].isascii())
            encoding = "utf-8" if is_utf8 else "cp1252"
    return data.decode(encoding, "replace")


def _find_declaration(start: bytes) -> str | None:
    """Return Python's name of the declared encoding; None if it is missing or unsupported."""
    if not _has_declaration(start):
        return None
    text = start.decode("latin-1")
    if m := _xml(text):
        return _find_codec(m[1])
    for tag in Tags(text):
        if tag.name == "meta":
            attributes = tag.attributes()
            label = attributes.get("charset", "")
            if not label and attributes.get("http-equiv", "").lower() == "content-type":
                m = _charset(attributes.get("content", ""))
                label = (m[1] or m[2] or m[3] or "") if m else ""
            if encoding := _find_codec(label):
                return encoding
    return None


@lru_cache(maxsize=64)
def _find_codec(label: str) -> str | None:
    label = label.strip(SPACES).lower()
    try:
        name = codecs.lookup(label).name if label.isascii() and label else ""
    except LookupError:
        name = label
    name = _MEANT.get(label) or _MEANT.get(name, name)
    return name if name == "utf-8" or name in _KNOWN else None
