"""
Write JSON Lines: one object a line, keys in a fixed order, no key without a value.

Holds everything, also entries without URL; URLs and dates stay as published. See docs/jsonl.md.
"""

from collections.abc import Collection

import msgspec

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter


class JsonlWriter(Writer):
    """Turn entries into JSON objects."""

    def __init__(self, reporter: Reporter) -> None:
        self._encode = msgspec.json.Encoder().encode_lines

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write nothing: the format has no header."""
        return b""

    def encode(self, batch: Batch) -> Encoded:
        """Write a line for each entry."""
        return Encoded.of_lines(self._encode(batch.entries), len(batch))

    def finish(self) -> bytes:
        """Write nothing: the format has no footer."""
        return b""
