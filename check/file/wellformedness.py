"""Checks whether a file is well-formed XML, and describes the error in plain words."""

import codecs
import re
from collections.abc import Iterable, Mapping
from typing import Any

from lxml import etree

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources import opening
from sitemapx.convert.streams import gzip as gzip_
from sitemapx.convert.streams.encodings import decode_start, encoding_of
from sitemapx.convert.xml.tags import find_root
from sitemapx.errors import InputError

_CHUNK = 1 << 17
_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DECLARED = re.compile(r"\ufeff?\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"']*)[\"']")
#: Names of UTF-16 and UCS-2.
_UTF_16 = re.compile("utf-16|utf-16le|utf-16be|iso-10646-ucs-2|csucs2|csutf16", re.IGNORECASE)
_ERRORS = etree.ErrorTypes
#: Errors against https://www.w3.org/TR/xml-names/; a document with them is still well-formed.
_NAMESPACE_ERRORS = range(_ERRORS.NS_ERR_XML_NAMESPACE, _ERRORS.NS_ERR_COLON + 1)
_OPTIONS: Any = {"resolve_entities": False, "no_network": True, "load_dtd": False}
_INVALID = "the markup is invalid"
_NO_ROOT = "the root element is missing, or has content before it"
_QUOTES = "an attribute value is not quoted or has no end quote"
_REFERENCE = "'&' does not begin an entity or character reference"
_CHARACTER = "a character reference is invalid"
_VERSION = "the XML declaration does not begin with a known version"
_UNFINISHED = "the file ends before all elements are closed"
#: Plain descriptions of the errors of libxml2 that damaged sitemaps cause.
_DEFECTS: Mapping[int, str] = {
    _ERRORS.ERR_DOCUMENT_EMPTY: _NO_ROOT,
    _ERRORS.ERR_DOCUMENT_START: _NO_ROOT,
    _ERRORS.ERR_DOCUMENT_END: "something follows the end of the root element",
    _ERRORS.ERR_TAG_NAME_MISMATCH: "an end tag does not match its start tag",
    _ERRORS.ERR_TAG_NOT_FINISHED: _UNFINISHED,
    _ERRORS.ERR_GT_REQUIRED: "a tag has no closing '>'",
    _ERRORS.ERR_LTSLASH_REQUIRED: _UNFINISHED,
    _ERRORS.ERR_NAME_REQUIRED: "a name is missing after '<' or '&'",
    _ERRORS.ERR_SPACE_REQUIRED: "attributes are not separated by whitespace",
    _ERRORS.ERR_ATTRIBUTE_NOT_STARTED: _QUOTES,
    _ERRORS.ERR_ATTRIBUTE_NOT_FINISHED: _QUOTES,
    _ERRORS.ERR_ATTRIBUTE_WITHOUT_VALUE: "an attribute has no value",
    _ERRORS.ERR_ATTRIBUTE_REDEFINED: "an attribute occurs twice in one tag",
    _ERRORS.ERR_LT_IN_ATTRIBUTE: "an attribute value contains '<'",
    _ERRORS.ERR_COMMENT_NOT_FINISHED: "a comment has no end",
    _ERRORS.ERR_HYPHEN_IN_COMMENT: "a comment contains '--'",
    _ERRORS.ERR_CDATA_NOT_FINISHED: "a CDATA section has no end",
    _ERRORS.ERR_MISPLACED_CDATA_END: "']]>' occurs outside a CDATA section",
    _ERRORS.ERR_PI_NOT_FINISHED: "a processing instruction has no end",
    _ERRORS.ERR_PI_NOT_STARTED: "a processing instruction has no name",
    _ERRORS.ERR_XMLDECL_NOT_STARTED: "the XML declaration is invalid",
    _ERRORS.ERR_VERSION_MISSING: _VERSION,
    _ERRORS.ERR_UNKNOWN_VERSION: _VERSION,
    _ERRORS.ERR_ENCODING_NAME: "the name of the encoding is invalid",
    _ERRORS.ERR_STANDALONE_VALUE: "standalone is not yes or no",
    _ERRORS.ERR_STRING_NOT_STARTED: _QUOTES,
    _ERRORS.ERR_STRING_NOT_CLOSED: _QUOTES,
    _ERRORS.ERR_RESERVED_XML_NAME: "the XML declaration is not at the start of the file",
    _ERRORS.ERR_XMLDECL_NOT_FINISHED: "the XML declaration has no end",
    _ERRORS.ERR_DOCTYPE_NOT_FINISHED: "the DOCTYPE has no end",
    _ERRORS.ERR_UNDECLARED_ENTITY: "an entity is not declared",
    _ERRORS.ERR_ENTITYREF_SEMICOL_MISSING: _REFERENCE,
    _ERRORS.ERR_INVALID_CHARREF: _CHARACTER,
    _ERRORS.ERR_INVALID_DEC_CHARREF: _CHARACTER,
    _ERRORS.ERR_INVALID_HEX_CHARREF: _CHARACTER,
    _ERRORS.ERR_INVALID_CHAR: "a character is not allowed in XML",
    _ERRORS.ERR_INVALID_ENCODING: "bytes do not match the encoding",
    _ERRORS.ERR_UNKNOWN_ENCODING: "the encoding is unknown",
    _ERRORS.ERR_UNSUPPORTED_ENCODING: "the encoding is unknown",
    _ERRORS.NS_ERR_UNDEFINED_NAMESPACE: "a namespace prefix is not declared",
    _ERRORS.NS_ERR_XML_NAMESPACE: "a namespace declaration is invalid",
    _ERRORS.WAR_NS_URI: "a namespace is not a valid URI",
    _ERRORS.NS_ERR_ATTRIBUTE_REDEFINED: "an attribute occurs twice in one tag",
}


def defect_in(path: str) -> str:
    """Return the first XML or namespace error, or why a file is unreadable; empty if none."""
    try:
        with opening.open_source(path) as opened:
            _, stream = gzip_.unpack(opened, Reporter())
            return defect_of(iter(lambda: stream.read(_CHUNK), b""))
    except InputError as error:
        return error.message


def defect_of(pieces: Iterable[bytes]) -> str:
    """Return the first XML or namespace error in a document, given in pieces; empty if none."""
    target: Any = _NoTree()
    parser = etree.XMLParser(target=target, **_OPTIONS)
    try:
        for data in pieces:
            parser.feed(data)
        parser.close()
    except etree.XMLSyntaxError:
        defect = _NO_ROOT
    else:
        defect = ""
    for error in parser.feed_error_log:  # the log also has errors that such a parser does not raise
        if error.level > etree.ErrorLevels.WARNING:
            return f"line {error.line}: {_DEFECTS.get(error.type, _INVALID)}"
    return defect


class _NoTree:
    """A parser target that builds no tree, which is faster."""

    def close(self) -> None:
        pass


def defect_before_root(start: bytes) -> tuple[int, str] | None:
    """
    Return the line (from 1) and cause of the first error before the root element, or None.

    Namespace errors are ignored: a document with them is still well-formed.

    Args:
        start: Start of a document, in its own encoding. Whitespace at its start, and comments that
            contain `--`, are accepted.

    """
    if cause := _wrong_encoding(start):
        return 1, cause
    document = _with_empty_root(start)
    try:
        if document:
            etree.fromstring(document.lstrip(), etree.XMLParser(**_OPTIONS))
    except etree.XMLSyntaxError as error:
        if error.code in (*_NAMESPACE_ERRORS, _ERRORS.ERR_HYPHEN_IN_COMMENT):
            return None
        blank = document[: len(document) - len(document.lstrip())]
        cause = _DEFECTS.get(error.code, _INVALID)
        cause = "text is not allowed here" if cause == _NO_ROOT else cause
        return (error.lineno or 1) + blank.count(b"\n"), cause
    return None


def _wrong_encoding(start: bytes) -> str:
    """
    Return why XML parsers may fail to decode a UTF-16 or UTF-32 document, or an empty string.

    https://www.w3.org/TR/xml/#charencoding
    """
    encoding = encoding_of(start)
    if encoding.startswith("utf-32"):
        return "the encoding is UTF-32, which few XML parsers know"
    if not encoding.startswith("utf-16"):
        return ""
    text = decode_start(start)
    if not (start.startswith(_BOMS) or text.startswith("<?")):
        return "the byte order mark of UTF-16 is missing"
    declared = _DECLARED.match(text)
    if declared and not _UTF_16.fullmatch(declared[1]):
        return f"the encoding is UTF-16, but {declared[1]!r} is declared"
    return ""


def _with_empty_root(start: bytes) -> bytes:
    """Return the part before the root element followed by `<x/>`; empty without a root."""
    encoding = encoding_of(start)
    is_wide = encoding.startswith(("utf-16", "utf-32"))
    if is_wide:
        start = decode_start(start).encode()
    root = find_root(start)
    document = start[: root.start()] + b"<x/>" if root else b""
    return document.decode().encode(encoding[:6]) if is_wide else document
