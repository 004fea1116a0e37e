"""Applies fixes to the contents of XML files and URL lists."""

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import NamedTuple, Self, Unpack

from sitemapx.check.edits import (
    ESCAPE_CODES,
    ItemEdit,
    apply_fix,
    correct_namespaces,
    escaped,
    is_redundant,
    syntax,
)
from sitemapx.check.feeds.corrections import correct
from sitemapx.check.nodes import nodes_of
from sitemapx.check.schema.validator import DocumentValidator
from sitemapx.convert.disk.spill import DigestSet
from sitemapx.convert.formats.format import Context, Format
from sitemapx.convert.formats.sitemap.elements import is_extension
from sitemapx.convert.formats.sitemap.items import ItemReader
from sitemapx.convert.formats.text.reader import split_line
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.model.reporter import Location, ProblemDetails, Reporter
from sitemapx.convert.sources import opening
from sitemapx.convert.sources.read import read
from sitemapx.convert.streams import gzip as gzip_
from sitemapx.convert.streams.encodings import decode_utf8, encode_like, utf8_chunks
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values import urls
from sitemapx.convert.xml.cutter import Block, Cutter
from sitemapx.convert.xml.namespaces import (
    NAMESPACES,
    SITEMAP,
    is_unknown_variant,
    right_namespace,
)
from sitemapx.convert.xml.parsers import XmlElement, parse
from sitemapx.convert.xml.repair.declarations import declarations_in, declare, replace_namespaces
from sitemapx.convert.xml.repair.markup import fix_characters
from sitemapx.convert.xml.repair.references import fix_references
from sitemapx.convert.xml.tags import MAX_DEPTH, doctype_end, find_open_tags, find_visible
from sitemapx.errors import InputError


class Repeats:
    """
    Finds the items of a file that only repeat an earlier item; call `is_removable` in file order.

    An item is removable if it adds nothing to the first item with the same URL, or repeats that
    item byte for byte. `allows` prevents new duplicates: a URL must not be escaped if the file
    already lists the escaped URL.

    Args:
        locs: The URLs that occur more than once in the same spelling.
        listed: All URLs of the file, with their hashes; None if no URL is escaped.

    """

    def __init__(self, locs: Collection[str], listed: DigestSet | None = None) -> None:
        self._locs = locs
        self._listed = listed
        self._first: dict[str, tuple[Entry, bytes | str]] = {}

    @classmethod
    def in_file(cls, path: str, url: str | None, codes: Collection[str]) -> Self:
        """Create an instance for a file; its URLs are read only if the fix of a code needs them."""
        if not (ESCAPE_CODES | {"duplicate-loc"}) & set(codes):
            return cls(())
        listed, found = DigestSet(), set[str]()
        try:
            for batch in read(path, source_url=url, report=ignore).batches:
                found |= {
                    loc for loc in batch.locs() if listed.add_text(loc, hash(loc)) is not None
                }
        except BaseException:
            listed.close()
            raise
        return cls(found - {""} if "duplicate-loc" in codes else (), listed)

    def close(self) -> None:
        if self._listed:
            self._listed.close()

    def allows(self, loc: str, spelling: str) -> bool:
        """Return whether `spelling`, the escaped form, may replace `loc`; record it if unlisted."""
        return self._listed is None or self._listed.add_text(spelling, hash(loc)) in (
            None,
            hash(loc),
        )

    @property
    def has_any(self) -> bool:
        """Whether the file has duplicates that may be removed."""
        return bool(self._locs)

    def is_removable(self, entry: Entry, raw: bytes | str, *, is_complete: bool = True) -> bool:
        """
        Record the next item of the file; return whether it is a removable duplicate.

        `raw` is the item as written; `is_complete` is whether `entry` has all of its data.
        """
        loc = entry.loc or ""
        if loc not in self._locs:
            return False
        first, first_raw = self._first.setdefault(loc, (entry, raw))
        is_repeated = raw == first_raw or (is_complete and is_redundant(entry, first))
        return first is not entry and is_repeated


# ---- lists of URLs

_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++\Z")


def _fix_lines(
    path: str, stream: Readable, start: bytes, url: str | None, codes: Collection[str]
) -> Iterator[bytes]:
    """
    Yield the lines of a URL list with fixes applied; `start` holds the first bytes of the file.

    Raises `InputError` if invalid bytes prevent fixing.
    """
    if start.startswith(codecs.BOM_UTF8) and "bom" not in codes:
        yield codecs.BOM_UTF8
    rest = b""
    with closing(Repeats.in_file(path, url, codes)) as repeats:
        for chunk in utf8_chunks(stream.read, Reporter()):
            data = rest + chunk
            cut = data.rfind(b"\n") + 1 or data.rfind(b"\r", 0, -1) + 1
            rest = data[cut:]
            yield from _fix_text(data[:cut], codes, repeats)
        yield from _fix_text(rest, codes, repeats)


def _fix_text(data: bytes, codes: Collection[str], repeats: Repeats) -> Iterator[bytes]:
    text, is_utf8 = decode_utf8(data)
    if not is_utf8 and "wrong-encoding" not in codes:
        raise InputError(
            "it has bytes that are not UTF-8, and the fix of wrong-encoding is disabled"
        )
    if not is_utf8 and "\ufffd" in text:
        raise InputError("it has bytes that are invalid in every known encoding")
    for m in _LINE.finditer(text):
        line = m[0]
        before, more = split_line(line)
        loc = urls.clean(before)
        if urls.is_absolute(loc):
            uri = escaped(loc, codes)
            if repeats.is_removable(Entry(loc=loc), line) and not more:
                continue
            line = line.replace(loc, uri) if uri and repeats.allows(loc, uri) else line
        yield line.encode("utf-8", "surrogatepass")


# ---- the part before the first item

_BLANK = re.compile(rb"(?:\xef\xbb\xbf|[ \t\r\n])*")
_ENCODING = re.compile(rb"(<\?xml[^>]*?\sencoding\s*=\s*)([\"'])[^\"'<>]*\2")
#: An extension element with its first child, or `mobile`, which is empty.
_EXTENSION = re.compile(
    rb"<([\w.-]+):(?:(image|video|news)(?:\s[^<>]*)?>\s*<\1:([\w.-]+)|(mobile)\s*/?>)"
)
_NAME = re.compile(rb"<(?:([^\s:/>]+):)?[^\s/>]+")


class NamesUsed(NamedTuple):
    """
    Prefixes and namespaces that the root of a document should declare.

    Attributes:
        undeclared: Prefixes without a declaration.
        meant: Maps each misspelt namespace that the root declares to the namespace of the extension
            to which its elements belong.

    """

    undeclared: Collection[str] = ()
    meant: Mapping[str, str] = {}


class FixedProlog:
    """
    The part of a document before the first item, with fixes applied.

    Attributes:
        prolog: The bytes before the root tag.
        start: The root tag, and the bytes up to the first item.
        opening: The start tags that are open before the first item.

    """

    def __init__(self, cutter: Cutter, codes: Collection[str], names: NamesUsed) -> None:
        self.prolog = _prolog(cutter.prolog, codes)
        root = cutter.root_tag
        if "namespace" in codes:
            root = _declare_known(_correct_root_tag(root, names.meant), names.undeclared)
        self.start = root + cutter.head
        self.opening = b"".join([root, *find_open_tags(cutter.head)][:MAX_DEPTH])


def _find_names(cutter: Cutter) -> NamesUsed:
    """Read a document to find the prefixes and namespaces that its root should declare."""
    start = b"".join([cutter.root_tag, *find_open_tags(cutter.head)])
    undeclared = set(declare(start, start + cutter.head)[1])
    unknown = {
        prefix: namespace
        for prefix, namespace in declarations_in(cutter.root_tag)
        if is_unknown_variant(namespace)
    }
    meant: dict[str, str] = {}
    for block in cutter.blocks(outside_items=True):
        undeclared.update(declare(start, block.data)[1])
        for m in _EXTENSION.finditer(block.data) if unknown else ():
            prefix, name = m[1].decode(), (m[2] or m[4]).decode()
            child = m[3].decode() if m[3] else None
            if prefix in unknown and is_extension(name, child):
                meant[unknown[prefix]] = NAMESPACES[name]
    return NamesUsed(undeclared, meant)


def _prolog(prolog: bytes, codes: Collection[str]) -> bytes:
    if "space-before-xml" in codes:
        prolog = _BLANK.sub(b"", prolog, count=1)
    if "not-utf8" in codes or "wrong-encoding" in codes:
        prolog = _ENCODING.sub(rb"\1\2UTF-8\2", prolog)
    at = prolog.upper().find(b"<!DOCTYPE")
    if "doctype" in codes and at >= 0:
        rest = prolog[max(doctype_end(prolog, at), at) :]
        prolog = prolog[:at] + rest.lstrip()
    return prolog


def _correct_root_tag(tag: bytes, meant: Mapping[str, str]) -> bytes:
    """Correct the namespaces in a root tag; declare that of the root. `meant`: see `NamesUsed`."""
    name = _NAME.match(tag)
    own = name[1] if name else None
    is_declared = False

    def right(prefix: bytes | None, namespace: str) -> str:
        nonlocal is_declared
        is_declared = is_declared or prefix == own
        known = right_namespace(namespace) or meant.get(namespace)
        return known or (SITEMAP if prefix == own else namespace.strip())

    tag = replace_namespaces(tag, right)
    if name and not is_declared:
        attribute = b" xmlns:%s" % own if own else b" xmlns"
        tag = b'%s%s="%s"%s' % (name[0], attribute, SITEMAP.encode(), tag[name.end() :])
    return tag


def _declare_known(tag: bytes, prefixes: Iterable[str]) -> bytes:
    """Add declarations of prefixes with a well-known namespace to the start tag of the root."""
    known = {prefix: NAMESPACES[prefix] for prefix in sorted(prefixes) if prefix in NAMESPACES}
    added = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in known.items())
    return tag[:-1] + added.encode() + b">"


# ---- items

#: Maximum number of rounds: a fix may reveal another finding.
_ROUNDS = 5


class _Examined(NamedTuple):
    """
    An item and its findings.

    Attributes:
        found: The code and the element of each finding to fix.
        entry: The entry; None if the item has no URL.
        is_complete: Whether the entry has all data of the item, so that no data is lost if it is
            removed as a duplicate.

    """

    item: XmlElement
    found: list[tuple[str, XmlElement]]
    entry: Entry | None
    is_complete: bool


def _fix_markup(
    path: str,
    stream: Readable,
    start: bytes,
    format: Format,
    url: str | None,
    codes: Collection[str],
    *,
    with_values: bool = True,
) -> Iterator[bytes]:
    """
    Yield a document with fixes applied, in pieces; yields the first piece before reading items.

    See `fixed_pieces`; `start` holds the first bytes of the decompressed stream.
    """
    collector = _ProblemCollector(url)
    cutter = Cutter(stream, format.item, collector)
    if not cutter.root_tag or not cutter.has_items:
        raise InputError(f"no <{format.item}> found")
    has_bom = start.startswith(codecs.BOM_UTF8) and "space-before-xml" not in codes
    yield codecs.BOM_UTF8 if has_bom else b""
    names = _names_used(path, format) if "namespace" in codes else NamesUsed()
    head = FixedProlog(cutter, codes, names)
    make_fixer = _FeedFixer if format.family == "feed" else _ItemFixer
    with closing(Repeats.in_file(path, url, codes) if with_values else Repeats(())) as repeats:
        items = make_fixer(cutter, head.opening, format, url, codes, repeats)
        yield head.prolog + items.fix_start(head.start)
        fix_block = items.fix_block if with_values else items.make_well_formed
        for block in cutter.blocks(outside_items=True):
            if "entry-too-large" in collector.codes:
                raise InputError("an entry is too large")
            yield fix_block(block)


def _names_used(path: str, format: Format) -> NamesUsed:
    with opening.open_source(path) as opened:
        _, stream = gzip_.unpack(opened, Reporter())
        return _find_names(Cutter(stream, format.item, Reporter()))


class _ProblemCollector(Context):
    """Reader context that collects the code and element of each problem."""

    def __init__(self, url: str | None) -> None:
        super().__init__(url=url)
        self.codes: set[str] = set()
        self.found: list[tuple[str, XmlElement]] = []

    def problem(self, code: str, message: str, **details: Unpack[ProblemDetails]) -> None:
        self.codes.add(code)
        if (element := details.get("element")) is not None:
            self.found.append((code, element))

    def resolved(self, url: str, code: str, **location: Unpack[Location]) -> str:
        found = super().resolved(url, code)
        if found != url and (element := location.get("element")) is not None:
            self.found.append((code, element))
        return found


class _ItemFixer:
    """Applies fixes to the items of a document, block by block."""

    def __init__(
        self,
        cutter: Cutter,
        opening: bytes,
        format: Format,
        url: str | None,
        codes: Collection[str],
        repeats: Repeats,
    ) -> None:
        self._cutter = cutter
        self._opening = opening
        names = (tag[1:].split()[0].rstrip(b">") for tag in reversed(find_open_tags(opening)))
        self._closing = b"".join(b"</%s>" % name for name in names)
        self._root, self._name = format.roots[0], format.item
        self._url, self._codes, self._repeats = url, codes, repeats

    def fix_start(self, data: bytes) -> bytes:
        """Fix the part from the root tag to the first item; only feeds need this."""
        return data

    def fix_block(self, block: Block) -> bytes:
        """Return a block with fixes applied: to all items at once, or one by one if that fails."""
        return self._fix_with(self._fix_items, block)

    def make_well_formed(self, block: Block) -> bytes:
        """Return a block with only the fixes that may make it well-formed."""

        def if_well_formed(data: bytes) -> bytes | None:
            return None if self._parse(data) is None else data

        return self._fix_with(if_well_formed, block)

    def _fix_with(self, fix: Callable[[bytes], bytes | None], block: Block) -> bytes:
        data = self._to_utf8(block.data)
        for whole in (data, self._make_item_well_formed(data)):
            if (fixed := fix(whole)) is not None:
                return fixed
        parts: list[bytes] = []
        at = 0
        for start, stop in self._item_spans(data):
            fixed = fix(self._make_item_well_formed(data[start:stop]))
            parts += _with_gap(data[at:start], data[start:stop] if fixed is None else fixed)
            at = stop
        return b"".join([*parts, data[at:]])

    def _item_spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield the start and end offset of each item."""
        ends = [m.end() for m in find_visible(self._cutter.item_end, data)]
        at = 0
        for m in find_visible(self._cutter.item_start, data):
            number = bisect_right(ends, m.start())
            if m.start() >= at and number < len(ends):
                at = ends[number]
                yield m.start(), at

    def _fix_items(self, data: bytes) -> bytes | None:
        """
        Fix the items of a block, and repeat while the fixes reveal further findings.

        Returns:
            The fixed block; None if it is ill-formed, or if its items cannot be located in it.

        """
        old: bytes | None = None
        for number in range(_ROUNDS):
            root = self._parse(data)
            if root is None:
                return old
            new = self._run_round(data, root, is_first=number == 0)
            if new is None or new == data:
                return old if new is None else data
            old, data = data, new
        return data

    def _run_round(self, data: bytes, root: XmlElement, *, is_first: bool) -> bytes | None:
        """
        Fix the findings in a block once; the first round also removes duplicate items.

        Return None if there is something to fix, but the items cannot be located in the bytes.
        """
        examined, spans = list(self._examine(root)), list(self._item_spans(data))
        if len(examined) != len(spans):
            has_none = not self._repeats.has_any and not any(item.found for item in examined)
            return data if has_none else None
        parts: list[bytes] = []
        at = 0
        for (item, found, entry, is_complete), (start, stop) in zip(examined, spans, strict=True):
            raw = data[start:stop]
            if (
                is_first
                and entry
                and self._repeats.is_removable(entry, raw, is_complete=is_complete)
            ):
                raw = b""
            elif found:
                raw = self._fix_item(raw, item, found)
            parts += _with_gap(data[at:start], raw)
            at = stop
        return b"".join([*parts, data[at:]])

    def _fix_item(self, raw: bytes, item: XmlElement, found: list[tuple[str, XmlElement]]) -> bytes:
        """Return an item with fixes applied; unchanged if its elements cannot be located."""
        nodes = nodes_of(raw, [*item.iter("*")])
        if nodes is None:
            return raw
        by_element = {node.element: node for node in nodes}
        edit = ItemEdit(by_element, self._url, self._codes, self._repeats.allows)
        for code, element in found:
            apply_fix(edit, code, element)
        return nodes[0].written()

    def _to_utf8(self, data: bytes) -> bytes:
        """Convert a block to UTF-8, if the fix of `wrong-encoding` is enabled and loses nothing."""
        text, is_utf8 = decode_utf8(data)
        is_sure = "wrong-encoding" in self._codes and "\ufffd" not in text
        return text.encode() if not is_utf8 and is_sure else data

    def _parse(self, data: bytes, opening: bytes | None = None) -> XmlElement | None:
        """Parse data with fixed references after start tags (or those of the document), or None."""
        data = fix_references(data)
        opening = self._opening if opening is None else opening
        for before in (opening, declare(opening, data)[0]):
            for after in (self._closing, b""):
                if (root := parse(before + data + after)) is not None:
                    return root
        return None

    def _examine(self, root: XmlElement) -> Iterator[_Examined]:
        validator = DocumentValidator(self._root)
        validator.validate(root)
        rejected: dict[XmlElement, list[tuple[str, XmlElement]]] = {}
        for error in validator.take_errors():
            for item in (error.element, *error.element.iterancestors("{*}" + self._name)):
                rejected.setdefault(item, []).append((error.code, error.element))
        collector = _ProblemCollector(self._url)
        reader = ItemReader(collector, self._name)
        for item in root.iter("{*}" + self._name):
            collector.found.clear()
            entry = reader.entry(item, 0)
            unread = [*collector.found, *rejected.get(item, ())]
            is_complete = all(code in self._codes for code, _ in unread)
            found = [*unread, *_url_errors(item)]
            wanted = [(code, at) for code, at in found if code in self._codes]
            yield _Examined(item, wanted, entry, is_complete)

    def _make_item_well_formed(self, raw: bytes) -> bytes:
        """Fix characters and namespaces, unless that requires a disabled fix."""
        text, is_utf8 = decode_utf8(raw)
        if not is_utf8 and "\ufffd" in text:
            return raw  # the encoding is unknown
        collector = _ProblemCollector(self._url)
        data = fix_characters(raw, collector, 1)
        data = data if collector.codes <= set(self._codes) else raw
        return correct_namespaces(data, {}) if "namespace" in self._codes else data


class _FeedFixer(_ItemFixer):
    """Corrects the elements of a feed, block by block."""

    def fix_start(self, data: bytes) -> bytes:
        data = self._to_utf8(data)
        for whole in (data, self._make_item_well_formed(data)):
            if (fixed := self._correct(b"", whole)) is not None:
                return fixed
        return data

    def _fix_items(self, data: bytes) -> bytes | None:
        return self._correct(self._opening, data)

    def _correct(self, before: bytes, data: bytes) -> bytes | None:
        """Correct the elements in `data`, which follows the tags `before`; None if ill-formed."""
        root = self._parse(data, before)
        if root is None:
            return None
        elements = [*root.iter("*")]
        for after in (self._closing, b""):
            whole = before + data + after
            if nodes := nodes_of(whole, elements):
                for node in nodes[len(find_open_tags(before)) :]:
                    correct(node, self._codes)
                written = nodes[0].written() + whole[nodes[0].end :]
                return written[len(before) :].removesuffix(after)
        return data


def _with_gap(gap: bytes, item: bytes) -> list[bytes]:
    """Return an item with the text before it; whitespace before a removed item is removed, too."""
    return [gap if item or gap.strip() else b"", item]


def _url_errors(item: XmlElement) -> Iterator[tuple[str, XmlElement]]:
    """Yield code and element of each syntax error in `<loc>`, and of wrong escapes in links."""
    for element in item.iterchildren("{*}loc"):
        loc = urls.clean(element.text or "")
        if urls.is_absolute(loc):
            yield from ((code, element) for code, _ in syntax(loc))
    for element in item.iterchildren("{*}link"):  # alternates must match the <loc> of their page
        href = urls.clean(element.get("href") or "")
        if urls.is_absolute(href) and any(code == "loc-escape" for code, _ in syntax(href)):
            yield "loc-escape", element


# ---- files


def fixed_pieces(
    path: str,
    format: Format,
    url: str | None,
    codes: Collection[str],
    *,
    with_values: bool = True,
) -> Generator[bytes]:
    """
    Yield the contents of a sitemap, an index, a feed or a URL list: decompressed and fixed.

    Args:
        url: Public URL of the file; None if unknown.
        codes: Codes of the findings that are fixed.
        with_values: Whether to fix values and the order of elements in XML, too.

    Raises:
        InputError: If the file cannot be read or fixed; for example, it has no items.

    """
    with opening.open_source(path) as opened:
        start, stream = gzip_.unpack(opened, Reporter())
        if format.roots:
            pieces = _fix_markup(path, stream, start, format, url, codes, with_values=with_values)
        else:
            pieces = _fix_lines(path, stream, start, url, codes)
        yield from pieces if "not-utf8" in codes else encode_like(start, pieces)
