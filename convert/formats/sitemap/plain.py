"""
The fast reading of the commonest markup: items with nothing but the protocol's own fields.

The fields may be in any order, have an attribute, and be in CDATA sections; comments are skipped. A
block with anything else in it is left to the parser.
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

#: The text of a field in each item, None where it is missing.
_Texts = Sequence[str | None]

#: The number of blocks that are left to the parser, at most, after one that was not plain.
_MAX_SKIPS = 100
#: Stands where a comment was; no XML document has it, so that it is in no tag.
_GONE = "\x01"
_SPACE = f"[{BLANKS}]*+"
#: What may be between elements.
_BETWEEN = f"[{BLANKS}{_GONE}]*+"
#: An attribute that means nothing, and no second one, which might be the same.
_ATTRIBUTE = (
    rf"(?:[{BLANKS}]++(?!xmlns[=:])[A-Za-z_][A-Za-z0-9_.-]*+="
    rf"(?:\"[^\"<&]*+\"|'[^'<&]*+'))?+{_SPACE}"
)
_CDATA, _CDATA_END = "<![CDATA[", "]]>"
_TEXT = r"([^<]++|[^<]*+<!\[CDATA\[[^<\]]++\]\]>[^<]*+)"
_comments = re.compile("<!--(?:[^-]++|-(?!-))*+-->")
_is_usual_prefix = re.compile("[A-Za-z0-9_-]*+").fullmatch
#: Match what the schema allows; the reader accepts other spellings as well.
_EXACT = {
    "changefreq": re.compile("[a-z]*+").fullmatch,
    "priority": re.compile(r"0(?:\.[0-9]+)?|1(?:\.0+)?", re.ASCII).fullmatch,
}


class PlainReader:
    """
    Reads the blocks of a document that have plain items only.

    Attributes:
        is_valid: Whether the elements of the last block are in the order of the schema, and their
            values are as the schema has them, but for URLs and dates.

    """

    def __init__(self, markup: BlockParser, context: Context) -> None:
        self._only_urls = context.wants_only_urls
        self._item = markup.end_tag[2:-1]
        own = self._item.rpartition(":")[0]
        namespaces = {prefix or "": name for prefix, name in markup.prefixes.items()}
        others = [one for one, name in namespaces.items() if name == SITEMAP and one != own]
        self._prefixes = [f"{prefix}:" if prefix else "" for prefix in (own, *others)]
        self._is_possible = namespaces.get(own) == SITEMAP and all(
            _is_usual_prefix(prefix) for prefix in (own, *others)
        )
        #: Whether elements are in the order of the schema, without attributes and the like.
        self._is_strict = True
        self._needs_valid = context.observer.needs_elements  # all else is parsed then anyway
        self._is_in_sitemap = markup.root_name == (SITEMAP, markup.root.lower())
        self._misses = self._skips = 0
        self.is_valid = False

    def read(self, block: Block) -> Columns | None:
        """Read a block; None if it is not plain."""
        if not self._is_possible:
            return None
        if self._skips:
            self._skips -= 1
            return None
        batch = self._read(block)
        if batch is None and self._is_strict and not self._needs_valid:
            self._is_strict = False
            batch = self._read(block)
        if batch is None:  # those that follow are probably like it
            self._misses += 1
            self._skips = min(self._misses, _MAX_SKIPS)
        return batch

    def _read(self, block: Block) -> Columns | None:
        text = decode_xml(block.data)
        if text and "<!--" in text and not self._is_strict:
            text = _comments.sub(_GONE, text).lstrip(BLANKS + _GONE)
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
            texts = {name: [*map(_without_cdata, column)] for name, column in texts.items()}
            if any(has_odd_text("".join(filter(None, column))) for column in texts.values()):
                return None
        return self._batch(texts)

    @cached_property
    def _strict_pattern(self) -> re.Pattern[str]:
        """The pattern of an item in order; its groups are the texts of the fields."""
        fields = "".join(map(self._field_in_order, CORE))
        return re.compile(f"<{self._item}>{_SPACE}{fields}</{self._item}>{_SPACE}")

    @cached_property
    def _loose_pattern(self) -> re.Pattern[str]:
        """The pattern of an item in any order; the last group of each field is its text."""
        width = 1 if len(self._prefixes) == 1 else 2
        fields = "|".join(self._field(name, width, n) for n, name in enumerate(CORE, 1))
        return re.compile(
            f"<{self._item}{_ATTRIBUTE}>{_BETWEEN}(?:<(?:{fields}){_BETWEEN})*+(?({width})|(?!))"
            f"</{self._item}{_SPACE}>{_BETWEEN}"
        )

    def _field_in_order(self, name: str) -> str:
        tag = f"{self._prefixes[0]}{name}"
        # An alternative that is empty takes less time than `?`, and an empty group than a text.
        text = "([^<]++)" if name == "loc" or not self._only_urls else "()[^<]++"
        return f"(?:<{tag}>{text}</{tag}>{_SPACE}{'' if CORE[name].is_required else '|'})"

    def _field(self, name: str, width: int, number: int) -> str:
        """Match a field once, after its `<`; its last group is the text."""
        before = same = self._prefixes[0]
        if width == 2:
            before = f"({'|'.join(sorted(self._prefixes, reverse=True))})"
            same = rf"(?:\{width * number - 1})"
        once = f"(?({width * number})(?!))"
        return f"{once}{before}{name}{_ATTRIBUTE}>{_TEXT}</{same}{name}{_SPACE}>"

    def _batch(self, texts: Mapping[str, _Texts]) -> Columns | None:
        """Make columns of the texts; None if there is something to report of one."""
        if (locs := _urls(texts["loc"])) is None:
            return None
        columns = {name: column for name, column in texts.items() if _has_values(column)}
        del columns["loc"]
        for name, column in columns.items() if not self._only_urls else ():
            values = _dates(column) if name == "lastmod" else _words(name, column)
            if values is None:
                return None
            columns[name] = values
        self.is_valid = (
            self._needs_valid
            and self._is_in_sitemap
            and all(
                one is None or is_exact(one)
                for name, is_exact in _EXACT.items()
                for one in {*texts[name]}
            )
        )
        return Columns(locs, columns)


def _has_values(column: _Texts) -> bool:
    return any(text is not None for text in column)


def _without_cdata(text: str | None) -> str | None:
    """Write a CDATA section as other text; with text around it, it stays, and is odd then."""
    if text is None or _CDATA not in text:
        return text
    before, _, rest = text.strip().partition(_CDATA)
    content, _, after = rest.partition(_CDATA_END)
    return _CDATA_END if before or after else content.replace("&", "&amp;")


def _urls(texts: _Texts) -> Sequence[str] | None:
    """Undo the references in URLs; None if one is not absolute, or has white space in it."""
    lines = "\n".join([*cast("Sequence[str]", texts), ""])
    if " " in lines or "\t" in lines or lines.count("\n") != len(texts):
        lines = "\n".join([*[str(text).strip() for text in texts], ""])
    bare = resolve_references(lines) if _GONE not in lines else None
    return bare and (UriList.of(bare, len(texts)) or split_urls(bare, len(texts)))


def _dates(texts: _Texts) -> _Texts | None:
    """Return the dates; None if one is no W3C Datetime."""
    if are_w3c(text for text in texts if text):
        return texts
    dates = [text and text.strip() for text in texts]
    return dates if "" not in dates and are_w3c(date for date in dates if date) else None


def _words(name: str, texts: _Texts) -> Sequence[Any] | None:
    """Return the values of a field with few different ones; None if one is wrong, or blank."""
    kind = CORE[name].kind
    assert kind
    values = {text: kind.usual(text) for text in {*texts} if text}
    is_odd = None in values.values() or "" in values.values()
    return None if is_odd else [text and values[text] for text in texts]
