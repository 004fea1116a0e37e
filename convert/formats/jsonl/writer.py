"""
Writes JSON Lines: one object per line, with keys in a fixed order, and without empty values.

Supports all fields, also entries without URL; URLs and dates are unchanged. See docs/jsonl.md.
"""

import msgspec

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.reporter import Reporter


class JsonlWriter(Writer):
    def __init__(self, reporter: Reporter) -> None:
        self._encode = msgspec.json.Encoder().encode_lines

    def encode(self, batch: Batch) -> Encoded:
        return Encoded.of_lines(self._encode(batch.entries), len(batch))
