"""
Writes JSON Lines or an array: one object per line, in a fixed order of keys, without empty values.

Supports all fields, and entries without a URL; URLs and dates are unchanged. See docs/jsonl.md.
"""

from collections.abc import Collection

import msgspec

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter


class JsonlWriter(Writer):
    def __init__(self, reporter: Reporter) -> None:
        self._encode = msgspec.json.Encoder().encode_lines

    def encode(self, batch: Batch) -> Encoded:
        return Encoded.of_lines(self._encode(batch.entries), len(batch))


class JsonWriter(JsonlWriter):
    separator = b",\n"

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        return b"[\n"

    def encode(self, batch: Batch) -> Encoded:
        lines = self._encode(batch.entries)[:-1]  # in JSON, line breaks in strings are escaped
        data = self.separator + lines.replace(b"\n", self.separator)
        return Encoded(
            data, len(batch), lambda: [self.separator + line for line in lines.splitlines()]
        )

    def finish(self) -> bytes:
        return b"\n]\n"
