"""
Read JSON Lines: one object a line, as `--to jsonl` writes them (docs/jsonl.md).

Lenient about: white space in URLs, dates that can be rewritten, order of keys, blank lines.
Left out, with a Problem: a line that is no object; a key that is not known; a value of the
wrong kind, alone; all values but the last of a key that is repeated.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.rows import entry_of_row
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry, is_anonymous
from sitemapx.convert.streams.lines import line_blocks
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values.jsonkeys import keeps_all_keys, repeated_keys, unknown_keys
from sitemapx.convert.values.words import listed

__all__ = ["looks_like_jsonl", "read_jsonl"]

_TYPES = {field.name: field.type for field in msgspec.structs.fields(Entry)}
_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_entry = msgspec.json.Decoder(Entry).decode


def read_jsonl(stream: Readable, context: Context) -> Document:
    """Read entries, a JSON object a line."""
    return Document(_batches(stream, context))


def looks_like_jsonl(start: str) -> bool:
    """Return whether a text begins with an object."""
    return start.lstrip().startswith("{")


def _batches(stream: Readable, context: Context) -> Iterator[Batch]:
    is_empty = True
    for block in line_blocks(stream, context):
        context.observer.see_part(block)
        entries = [
            entry
            for number, line in enumerate(block.lines, block.first)
            if line.strip() and (entry := entry_from_json(line, context, number))
        ]
        if entries:
            is_empty = False
            yield Batch(entries)
    if is_empty:
        context.problem("empty", "no entries")


def entry_from_json(line: str, context: Context, number: int) -> Entry | None:
    """Make an entry of a JSON object."""
    try:
        raw = _decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        message = f"line is not a JSON object: {error}"
        context.problem("bad-json", message, done="; dropped", line=number)
        return None
    try:
        entry = _decode_entry(line)
    except (msgspec.MsgspecError, RecursionError):
        entry = None
    if entry and keeps_all_keys(line, entry):
        fields = {key: getattr(entry, key) for key in raw}
    else:
        fields = _fields(line, raw, context, number)
    entry = entry_of_row(fields, context, number)
    if entry and is_anonymous(entry):
        message, is_empty = "entry has no URL, ID, text or media", entry == Entry()
        done = "; skipped" if is_empty else ""
        context.problem("no-loc", message, done=done, line=number)
        return None if is_empty else entry
    return entry


def _fields(
    line: str, raw: Mapping[str, msgspec.Raw], context: Context, number: int
) -> dict[str, Any]:
    """Decode an object key by key, so that one bad value costs no other; report what is lost."""
    fields: dict[str, Any] = {}
    for key, value in raw.items():
        try:
            fields[key] = msgspec.json.decode(value, type=_TYPES[key])
        except KeyError:
            context.problem("unknown-key", f"unknown key {key!r}", done="; dropped", line=number)
        except (msgspec.MsgspecError, RecursionError) as error:
            context.problem("bad-value", f"{key}: {error}", done="; dropped", line=number)
    if keeps_all_keys(line, fields):
        return fields
    if names := listed([*map(repr, repeated_keys(line))]):
        message = f"repeated keys: {names}"
        context.problem("repeated", message, done="; the last value is used", line=number)
    for key in fields:
        for name in dict.fromkeys(unknown_keys(msgspec.json.decode(raw[key]), _TYPES[key])):
            message = f"{key}: unknown key {name!r}"
            context.problem("unknown-key", message, done="; dropped", line=number)
    return fields
