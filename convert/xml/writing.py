"""Escaping of text for the writers of XML formats."""

import re

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values.datatypes import OnProblem

#: Escapes of characters in text; that of "&" is the first, since all escapes contain it.
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\r": "&#13;"}
#: Escapes in attributes, where parsers normalize line breaks and tabs to spaces.
_ATTRIBUTE_ESCAPES = _ESCAPES | {"\n": "&#10;", "\t": "&#9;"}
#: Matches characters that https://www.w3.org/TR/xml/#charsets forbids, and unpaired surrogates.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: Finds characters to escape or remove.
_special = re.compile("[&<>\"'\x00-\x1f\ud800-\udfff\ufffe\uffff]").search


def escape(text: str, on_problem: OnProblem, *, is_attribute: bool = False) -> str:
    """Escape text for an element or attribute; remove and report characters that XML forbids."""
    if not _special(text):
        return text
    if _ILLEGAL.search(text):
        on_problem("illegal-character", "illegal XML characters removed")
        text = _ILLEGAL.sub("", text)
    for character, escaped in (_ATTRIBUTE_ESCAPES if is_attribute else _ESCAPES).items():
        text = text.replace(character, escaped)  # on long texts, much faster than str.translate
    return text


def make_entry_reporter(reporter: Reporter, loc: str | None) -> OnProblem:
    """Return a function that reports problems of the entry with the URL `loc`."""

    def on_problem(code: str, message: str) -> None:
        reporter.problem(code, message, loc=loc)

    return on_problem
