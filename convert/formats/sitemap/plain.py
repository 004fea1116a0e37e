"""
Fast reading of the most common markup: items with only the protocol's own fields.

Fields may be in any order, have an attribute and be in CDATA sections; comments are skipped. Blocks
with any other markup are left to the parser.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.vocabulary import CORE
from sitemapx.convert.model.batch import Columns
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.values.w3cdate import are_w3c
from sitemapx.convert.xml.cutter import Block
from sitemapx.convert.xml.namespaces import SITEMAP
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.plain import (
    BLANKS,
    decode_xml,
    has_odd_text,
    resolve_references,
    split_urls,
)

#: Texts of a field, one per item; None if missing.
_Texts = Sequence[str | None]

#: Maximum number of blocks to skip after a block that was not plain.
_MAX_SKIPS = 100
#: Replaces a comment; an illegal character, so it cannot occur in a tag.
_COMMENT = "\x01"
_SPACE = f"[{BLANKS}]*+"
_BETWEEN = f"[{BLANKS}{_COMMENT}]*+"
#: A meaningless attribute. Only one, as a second could be a duplicate.
_ATTRIBUTE = (
    rf"(?:[{BLANKS}]++(?!xmlns[=:])[A-Za-z_][A-Za-z0-9_.-]*+="
    rf"(?:\"[^\"<&]*+\"|'[^'<&]*+'))?+{_SPACE}"
)
_CDATA, _CDATA_END = "<![CDATA[", "]]>"
_TEXT = r"([^<]++|[^<]*+<!\[CDATA\[[^<\]]++\]\]>[^<]*+)"
_comments = re.compile("<!--(?:[^-]++|-(?!-))*+-->")
_is_usual_prefix = re.compile("[A-Za-z0-9_-]*+").fullmatch
#: Spellings that the schema allows; the reader also accepts others.
_EXACT = {
    "changefreq": re.compile("[a-z]*+").fullmatch,
    "priority": re.compile(r"0(?:\.[0-9]+)?|1(?:\.0+)?", re.ASCII).fullmatch,
}


class PlainReader:
    """
    Reads blocks that contain only plain items, without a parser.

    `is_valid` is whether the last block that was read conforms to the schema, apart from URLs and
    dates; always False unless `Observer.needs_elements`.
    """

    def __init__(self, markup: BlockParser, context: Context) -> None:
        self._only_urls = context.wants_only_urls
        self._item = markup.end_tag[2:-1]
        own = self._item.rpartition(":")[0]
        namespaces = {prefix or "": name for prefix, name in markup.prefixes.items()}
        others = [
            prefix for prefix, name in namespaces.items() if name == SITEMAP and prefix != own
        ]
        self._prefixes = [f"{prefix}:" if prefix else "" for prefix in (own, *others)]
        self._is_possible = namespaces.get(own) == SITEMAP and all(
            _is_usual_prefix(prefix) for prefix in (own, *others)
        )
        #: Whether to require the order of the schema, without attributes or comments.
        self._is_strict = True
        self._needs_valid = context.observer.needs_elements  # checks parse other blocks in any case
        self._is_in_sitemap = markup.root_name == (SITEMAP, markup.root.lower())
        self._misses = self._skips = 0
        self.is_valid = False

    def read(self, block: Block) -> Columns | None:
        """Read a block; None if the block, or a recent block, needs a parser."""
        if not self._is_possible:
            return None
        if self._skips:
            self._skips -= 1
            return None
        batch = self._read(block)
        if batch is None and self._is_strict and not self._needs_valid:
            self._is_strict = False
            batch = self._read(block)
        if batch is None:  # the next blocks are probably similar
            self._misses += 1
            self._skips = min(self._misses, _MAX_SKIPS)
        return batch

    def _read(self, block: Block) -> Columns | None:
        text = decode_xml(block.data)
        if text and "<!--" in text and not self._is_strict:
            text = _comments.sub(_COMMENT, text).lstrip(BLANKS + _COMMENT)
        has_sections = text is not None and _CDATA in text
        if not text or (not has_sections and has_odd_text(text)):
            return None
        pattern = self._strict_pattern if self._is_strict else self._loose_pattern
        parts: list[Any] = pattern.split(text)
        step = pattern.groups + 1
        if any(parts[::step]):
            return None
        width = pattern.groups // len(CORE)
        texts = {name: parts[width * number :: step] for number, name in enumerate(CORE, 1)}
        if has_sections:
            texts = {name: [*map(_convert_cdata, column)] for name, column in texts.items()}
            if any(has_odd_text("".join(filter(None, column))) for column in texts.values()):
                return None
        return self._make_columns(texts)

    @cached_property
    def _strict_pattern(self) -> re.Pattern[str]:
        """Pattern of an item with fields in order; its groups are the texts."""
        fields = "".join(map(self._make_strict_field_pattern, CORE))
        return re.compile(f"<{self._item}>{_SPACE}{fields}</{self._item}>{_SPACE}")

    @cached_property
    def _loose_pattern(self) -> re.Pattern[str]:
        """Pattern of an item with fields in any order; the last group of each field is its text."""
        width = 1 if len(self._prefixes) == 1 else 2
        fields = "|".join(
            self._make_field_pattern(name, width, n) for n, name in enumerate(CORE, 1)
        )
        return re.compile(
            f"<{self._item}{_ATTRIBUTE}>{_BETWEEN}(?:<(?:{fields}){_BETWEEN})*+(?({width})|(?!))"
            f"</{self._item}{_SPACE}>{_BETWEEN}"
        )

    def _make_strict_field_pattern(self, name: str) -> str:
        tag = f"{self._prefixes[0]}{name}"
        # An empty alternative is faster than `?`, and an empty group is faster than one with text.
        text = "([^<]++)" if name == "loc" or not self._only_urls else "()[^<]++"
        return f"(?:<{tag}>{text}</{tag}>{_SPACE}{'' if CORE[name].is_required else '|'})"

    def _make_field_pattern(self, name: str, width: int, number: int) -> str:
        """
        Return the pattern of a field after its `<`, which matches only once per item.

        `width` is the number of groups per field, and `number` is the number of the field, from 1.
        """
        before = same = self._prefixes[0]
        if width == 2:
            before = f"({'|'.join(sorted(self._prefixes, reverse=True))})"
            same = rf"(?:\{width * number - 1})"
        once = f"(?({width * number})(?!))"
        return f"{once}{before}{name}{_ATTRIBUTE}>{_TEXT}</{same}{name}{_SPACE}>"

    def _make_columns(self, texts: Mapping[str, _Texts]) -> Columns | None:
        """Convert the texts of each field to a column; None if a value has to be reported."""
        if (locs := _read_urls(texts["loc"])) is None:
            return None
        columns = {name: column for name, column in texts.items() if _has_values(column)}
        del columns["loc"]
        for name, column in columns.items() if not self._only_urls else ():
            values = _read_dates(column) if name == "lastmod" else _read_words(name, column)
            if values is None:
                return None
            columns[name] = values
        self.is_valid = (
            self._needs_valid
            and self._is_in_sitemap
            and all(
                value is None or is_exact(value)
                for name, is_exact in _EXACT.items()
                for value in {*texts[name]}
            )
        )
        return Columns(locs, columns)


def _has_values(column: _Texts) -> bool:
    return any(text is not None for text in column)


def _convert_cdata(text: str | None) -> str | None:
    """Unwrap a CDATA section and escape its `&`; return `]]>` if there is text around it."""
    if text is None or _CDATA not in text:
        return text
    before, _, rest = text.strip().partition(_CDATA)
    content, _, after = rest.partition(_CDATA_END)
    return _CDATA_END if before or after else content.replace("&", "&amp;")


def _read_urls(texts: _Texts) -> Sequence[str] | None:
    """Decode XML character references in URLs; None if a URL is not absolute or has whitespace."""
    lines = "\n".join([*cast("Sequence[str]", texts), ""])
    if " " in lines or "\t" in lines or lines.count("\n") != len(texts):
        lines = "\n".join([*[str(text).strip() for text in texts], ""])
    bare = resolve_references(lines) if _COMMENT not in lines else None
    return bare and (UriList.from_text(bare, len(texts)) or split_urls(bare, len(texts)))


def _read_dates(texts: _Texts) -> _Texts | None:
    """Return the trimmed dates; None if any is not a W3C Datetime."""
    if are_w3c(text for text in texts if text):
        return texts
    dates = [text and text.strip() for text in texts]
    return dates if "" not in dates and are_w3c(date for date in dates if date) else None


def _read_words(name: str, texts: _Texts) -> Sequence[Any] | None:
    """Parse a field with few distinct values, each only once; None if any is invalid or blank."""
    kind = CORE[name].kind
    assert kind
    values = {text: kind.usual(text) for text in {*texts} if text}
    is_odd = None in values.values() or "" in values.values()
    return None if is_odd else [text and values[text] for text in texts]
