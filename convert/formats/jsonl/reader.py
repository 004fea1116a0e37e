"""
Read JSON Lines: one object a line, as `--to jsonl` writes them (docs/jsonl.md).

Lenient about: white space in URLs, dates that can be rewritten, order of keys, blank lines; an
array of objects or URLs in place of lines; objects of sitemap.js.
Left out, with a Problem: a line that is no object; a key that is not known; a value of the
wrong kind, alone; all values but the last of a key that is repeated.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.jsonl import sitemapjs
from sitemapx.convert.formats.rows import entry_of_row
from sitemapx.convert.json.keys import keeps_all_keys, repeated_keys, unknown_keys
from sitemapx.convert.json.scanner import JsonError, Scanner, texts
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry, is_anonymous
from sitemapx.convert.streams.encodings import decode_start
from sitemapx.convert.streams.stream import Lines, Readable, RewoundStream, line_blocks, read_start
from sitemapx.convert.values.words import shorten_list

# ---- a JSON array of objects, read one after the other: memory holds a few, not the document

#: Characters of objects that are read at a time.
_PART = 1 << 17


class ArrayReader:
    """Reads the objects of an array."""

    def __init__(
        self, stream: Readable, context: Context, entry_of: Callable[[str, int], Entry | None]
    ) -> None:
        """
        Begin.

        Args:
            entry_of: Makes an entry of the text of an object and the number of its line, or reports
                why it cannot.

        """
        # the text of each object is looked at again, and only then is what is repeated reported
        self._scanner = Scanner(texts(stream, context), lambda keys, line: None)
        self._context = context
        self._entry_of = entry_of
        self._is_open = self._scanner.take("[")

    def batches(self) -> Iterator[Batch]:
        """Return the entries."""
        while self._is_open:
            if entries := self._next():
                yield Batch(entries)

    def _next(self) -> list[Entry]:
        """Read some objects."""
        scanner, entries = self._scanner, list[Entry]()
        scanner.begin_part()
        first = scanner.line
        try:
            while self._is_open and not scanner.is_longer(_PART):
                if scanner.take("]"):
                    self._is_open = False
                else:
                    self._read(entries)
            text = scanner.part
            if not self._is_open and scanner.peek():
                message = "content after the end of the array"
                self._context.problem("bad-json", message, done="; dropped", line=scanner.line)
        except JsonError as error:
            self._is_open = False
            text = scanner.part
            done = "; everything from here on is skipped"
            message = f"invalid JSON: {error}"
            self._context.problem("truncated", message, done=done, line=scanner.line)
        self._context.observer.see_part(Lines(text.split("\n"), first))
        return entries

    def _read(self, entries: list[Entry]) -> None:
        """Read an element, and the comma after it."""
        scanner = self._scanner
        scanner.peek()
        line = scanner.line
        if entry := self._entry_of(scanner.value_text(), line):
            entries.append(entry)
        if not scanner.take(",") and (found := scanner.peek()) != "]":
            raise JsonError("missing comma after element" if found else "missing ] at the end")


_TYPES = {field.name: field.type for field in msgspec.structs.fields(Entry)}
_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_entry = msgspec.json.Decoder(Entry).decode
#: How an array of objects or URLs begins, or one of nothing.
_begins_array = re.compile(r"\s*\[\s*(?:[{\]\"]|\Z)").match
#: So much is looked at to see whether it is one.
_START = 1024


def read_jsonl(stream: Readable, context: Context) -> Document:
    """Read entries: a JSON object a line, or an array of objects."""
    start = read_start(stream, _START)
    stream = RewoundStream(start, stream)
    if _begins_array(decode_start(start)):
        entry_of = partial(_entry_of_element, context)
        batches = ArrayReader(stream, context, entry_of).batches()
    else:
        batches = _line_batches(stream, context)
    return Document(_reported_if_empty(batches, context))


def looks_like_jsonl(start: str) -> bool:
    """Return whether a text begins with an object, or an array of objects."""
    return start.lstrip().startswith("{") or _begins_array(start) is not None


def _reported_if_empty(batches: Iterator[Batch], context: Context) -> Iterator[Batch]:
    is_empty = True
    for batch in batches:
        is_empty = False
        yield batch
    if is_empty:
        context.problem("empty", "no entries")


def _line_batches(stream: Readable, context: Context) -> Iterator[Batch]:
    for block in line_blocks(stream, context):
        context.observer.see_part(block)
        entries = [
            entry
            for number, line in enumerate(block.lines, block.first)
            if line.strip() and (entry := _entry_from_json(context, line, number))
        ]
        if entries:
            yield Batch(entries)


def _entry_of_element(context: Context, text: str, number: int) -> Entry | None:
    """Make an entry of an element of an array; a string is a URL, as in sitemap.js."""
    if text.startswith('"'):
        text = f'{{"loc":{text}}}'
    return _entry_from_json(context, text, number, "array element")


def _entry_from_json(context: Context, line: str, number: int, what: str = "line") -> Entry | None:
    """
    Make an entry of a JSON object.

    Args:
        what: What the text is, for a message if it is no object.

    """
    try:
        raw = _decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        message = f"{what} is not a JSON object: {error}"
        context.problem("bad-json", message, done="; dropped", line=number)
        return None
    if sitemapjs.is_item(raw):
        fields = _item_fields(line, raw, context, number)
    else:
        fields = _all_fields(line, raw) or _fields(line, raw, context, number)
    entry = entry_of_row(fields, context, number)
    if entry and is_anonymous(entry):
        message, is_empty = "entry has no URL, ID, text or media", entry == Entry()
        done = "; skipped" if is_empty else ""
        context.problem("no-loc", message, done=done, line=number)
        return None if is_empty else entry
    return entry


def _all_fields(line: str, raw: Mapping[str, msgspec.Raw]) -> dict[str, Any]:
    """Decode an object at once; no fields if that would lose anything."""
    try:
        entry = _decode_entry(line)
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return {key: getattr(entry, key) for key in raw} if keeps_all_keys(line, entry) else {}


def _item_fields(
    line: str, raw: Mapping[str, msgspec.Raw], context: Context, number: int
) -> dict[str, Any]:
    """Decode an object of sitemap.js, which may have other fields of entries besides."""
    _report_repeated(line, context, number)
    own = {key: value for key, value in raw.items() if key not in sitemapjs.KEYS}
    item = {key: msgspec.json.decode(raw[key]) for key in raw if key in sitemapjs.KEYS}
    return _decoded(own, context, number) | sitemapjs.SitemapJsReader(context, number).fields(item)


def _fields(
    line: str, raw: Mapping[str, msgspec.Raw], context: Context, number: int
) -> dict[str, Any]:
    """Decode an object key by key, so that one bad value costs no other; report what is lost."""
    fields = _decoded(raw, context, number)
    if keeps_all_keys(line, fields):
        return fields
    _report_repeated(line, context, number)
    for key in fields:
        for name in dict.fromkeys(unknown_keys(msgspec.json.decode(raw[key]), _TYPES[key])):
            message = f"{key}: unknown key {name!r}"
            context.problem("unknown-key", message, done="; dropped", line=number)
    return fields


def _decoded(raw: Mapping[str, msgspec.Raw], context: Context, number: int) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in raw.items():
        try:
            fields[key] = msgspec.json.decode(value, type=_TYPES[key])
        except KeyError:
            context.problem("unknown-key", f"unknown key {key!r}", done="; dropped", line=number)
        except (msgspec.MsgspecError, RecursionError) as error:
            context.problem("bad-value", f"{key}: {error}", done="; dropped", line=number)
    return fields


def _report_repeated(line: str, context: Context, number: int) -> None:
    if names := shorten_list([*map(repr, repeated_keys(line))]):
        message = f"repeated keys: {names}"
        context.problem("repeated", message, done="; the last value is used", line=number)
