"""
Reads JSON Lines: one object per line, as `--to jsonl` writes them (docs/jsonl.md).

Tolerates whitespace in URLs, other date formats, any order of keys, blank lines, an array of
objects or URLs instead of lines, and objects of sitemap.js. Dropped with a problem: lines that are
not objects, unknown keys, values of a wrong type, and all but the last value of a repeated key.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.formats.jsonl import sitemapjs
from sitemapx.convert.formats.rows import make_entry
from sitemapx.convert.json import (
    JsonError,
    Scanner,
    decode_chunks,
    keeps_all_keys,
    repeated_keys,
)
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import FIELD_TYPES, Entry, is_anonymous, unknown_keys
from sitemapx.convert.streams.encodings import decode_start
from sitemapx.convert.streams.stream import Lines, Readable, RewoundStream, line_blocks, read_start
from sitemapx.convert.values.words import shorten_list

# ---- a JSON array, read object by object

#: Number of characters of objects to read at a time.
_PART = 1 << 17


class ArrayReader:
    """Reads a JSON array; `entry_of` returns the entry for an element's text and line, or None."""

    def __init__(
        self, stream: Readable, context: Context, entry_of: Callable[[str, int], Entry | None]
    ) -> None:
        # `entry_of` reports repeated keys
        self._scanner = Scanner(decode_chunks(stream, context), lambda keys, line: None)
        self._context = context
        self._entry_of = entry_of
        self._is_open = self._scanner.skip("[")

    def batches(self) -> Iterator[Batch]:
        while self._is_open:
            if entries := self._read_part():
                yield Batch(entries)

    def _read_part(self) -> list[Entry]:
        scanner, entries = self._scanner, list[Entry]()
        scanner.begin_part()
        first = scanner.line
        try:
            while self._is_open and not scanner.is_longer(_PART):
                if scanner.skip("]"):
                    self._is_open = False
                else:
                    self._read_element(entries)
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
        self._context.observer.on_part(Lines(text.split("\n"), first))
        return entries

    def _read_element(self, entries: list[Entry]) -> None:
        scanner = self._scanner
        scanner.peek()
        line = scanner.line
        if entry := self._entry_of(scanner.value_text(), line):
            entries.append(entry)
        if not scanner.skip(",") and (found := scanner.peek()) != "]":
            raise JsonError("missing comma after element" if found else "missing ] at the end")


_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_entry = msgspec.json.Decoder(Entry).decode
#: Matches the start of an array that is empty or contains objects or strings.
_begins_array = re.compile(r"\s*\[\s*(?:[{\]\"]|\Z)").match
#: Number of bytes in which an array is detected.
_START = 1024


def read_jsonl(stream: Readable, context: Context) -> Document:
    start = read_start(stream, _START)
    stream = RewoundStream(start, stream)
    if _begins_array(decode_start(start)):
        entry_of = partial(_read_array_element, context)
        batches = ArrayReader(stream, context, entry_of).batches()
    else:
        batches = _read_lines(stream, context)
    return Document(report_if_empty(batches, context, "no entries"))


def looks_like_jsonl(start: str) -> bool:
    """Return whether a text begins with an object, or an array of objects or strings."""
    return start.lstrip().startswith("{") or _begins_array(start) is not None


def _read_lines(stream: Readable, context: Context) -> Iterator[Batch]:
    for block in line_blocks(stream, context):
        context.observer.on_part(block)
        entries = [
            entry
            for line_number, line in enumerate(block.lines, block.first)
            if line.strip() and (entry := _read_object(context, line, line_number))
        ]
        if entries:
            yield Batch(entries)


def _read_array_element(context: Context, text: str, line_number: int) -> Entry | None:
    """Read an element of an array as an entry, or None; a string is a URL, as in sitemap.js."""
    if text.startswith('"'):
        text = f'{{"loc":{text}}}'
    return _read_object(context, text, line_number, "array element")


def _read_object(
    context: Context, line: str, line_number: int, subject: str = "line"
) -> Entry | None:
    """Read a JSON object as an entry; report an invalid or empty object and return None."""
    try:
        raw = _decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        message = f"{subject} is not a JSON object: {error}"
        context.problem("bad-json", message, done="; dropped", line=line_number)
        return None
    if sitemapjs.is_sitemapjs_item(raw):
        fields = _decode_item(line, raw, context, line_number)
    else:
        fields = _decode_fast(line, raw) or _decode_by_key(line, raw, context, line_number)
    entry = make_entry(fields, context, line_number)
    if entry and is_anonymous(entry):
        message, is_empty = "entry has no URL, ID, text or media", entry == Entry()
        done = "; skipped" if is_empty else ""
        context.problem("no-loc", message, done=done, line=line_number)
        return None if is_empty else entry
    return entry


def _decode_fast(line: str, raw: Mapping[str, msgspec.Raw]) -> dict[str, Any]:
    """Decode an object as a whole; return {} if invalid, or if a key or value would be lost."""
    try:
        entry = _decode_entry(line)
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return {key: getattr(entry, key) for key in raw} if keeps_all_keys(line, entry) else {}


def _decode_item(
    line: str, raw: Mapping[str, msgspec.Raw], context: Context, line_number: int
) -> dict[str, Any]:
    """Decode an object of sitemap.js, which may also have fields of entries."""
    _report_repeated(line, context, line_number)
    own = {key: value for key, value in raw.items() if key not in sitemapjs.KEYS}
    item = {key: msgspec.json.decode(raw[key]) for key in raw if key in sitemapjs.KEYS}
    return _decode_fields(own, context, line_number) | sitemapjs.SitemapJsReader(
        context, line_number
    ).fields(item)


def _decode_by_key(
    line: str, raw: Mapping[str, msgspec.Raw], context: Context, line_number: int
) -> dict[str, Any]:
    """Decode an object key by key; report and drop only unknown keys and invalid values."""
    fields = _decode_fields(raw, context, line_number)
    if keeps_all_keys(line, fields):
        return fields
    _report_repeated(line, context, line_number)
    for key in fields:
        unknown = unknown_keys(msgspec.json.decode(raw[key]), FIELD_TYPES[key])
        for name in dict.fromkeys(name for name, _ in unknown):
            message = f"{key}: unknown key {name!r}"
            context.problem("unknown-key", message, done="; dropped", line=line_number)
    return fields


def _decode_fields(
    raw: Mapping[str, msgspec.Raw], context: Context, line_number: int
) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in raw.items():
        try:
            fields[key] = msgspec.json.decode(value, type=FIELD_TYPES[key])
        except KeyError:
            context.problem(
                "unknown-key", f"unknown key {key!r}", done="; dropped", line=line_number
            )
        except (msgspec.MsgspecError, RecursionError) as error:
            context.problem("bad-value", f"{key}: {error}", done="; dropped", line=line_number)
    return fields


def _report_repeated(line: str, context: Context, line_number: int) -> None:
    if names := shorten_list([*map(repr, repeated_keys(line))]):
        message = f"repeated keys: {names}"
        context.problem("repeated-key", message, done="; the last value is used", line=line_number)
