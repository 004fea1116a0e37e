"""Read a JSON document (RFC 8259) value by value, and find repeated keys."""

import codecs
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

import msgspec

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import WINDOWS_1252, utf8_chunks
from sitemapx.convert.streams.stream import Readable

#: Maximum length of a value in characters.
_LONGEST = 10 * 1024 * 1024


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a value")


_decode = json.JSONDecoder(parse_constant=_no_constant).raw_decode


class JsonError(Exception):
    """The text cannot be read as JSON from the current line on."""


class Scanner:
    """
    Reads the values of a document one after the other from `chunks` of any size.

    `on_repeated` is called with the repeated keys in a value, and the line of the value.
    """

    def __init__(
        self, chunks: Iterator[str], on_repeated: Callable[[list[str], int], None]
    ) -> None:
        self._chunks = chunks
        self._on_repeated = on_repeated
        self._text = ""
        self._at = self._kept = 0
        self._counted, self._line = 0, 1

    @property
    def line(self) -> int:
        """Line number of the current position, from 1; after `peek`, of the next value."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    @property
    def part(self) -> str:
        """Text read since `begin_part`."""
        return self._text[self._kept : self._at]

    def begin_part(self) -> None:
        """Start a new part at the next value, and discard the text before it."""
        self.peek()
        self._kept = self._at

    def is_longer(self, most: int) -> bool:
        return self._at - self._kept > most

    def peek(self) -> str:
        """Skip whitespace, and return the next character without reading it; "" at the end."""
        while True:
            while (char := self._text[self._at : self._at + 1]) in (" ", "\n", "\t", "\r"):
                self._at += 1
            if char or not self._fill():
                return char

    def skip(self, char: str) -> bool:
        if self.peek() != char:
            return False
        self._at += 1
        return True

    def value(self) -> Any:
        """Read the next value; raise `JsonError` if it is missing, invalid or too large."""
        return self._read_value()[0]

    def value_text(self) -> str:
        """Like `value`, but return the text of the value."""
        return self._read_value()[1]

    def _read_value(self) -> tuple[Any, str]:
        self.peek()
        while True:
            try:
                value, end = _decode(self._text, self._at)
            except RecursionError as error:
                raise JsonError("value is nested too deeply") from error
            except ValueError as error:
                if len(self._text) - self._at > _LONGEST:
                    raise JsonError("value is larger than 10 MiB") from error
                if not self._fill():
                    fault = str(error).partition(":")[0].removesuffix(" starting at")
                    raise JsonError(fault.lower()) from error
            else:
                if end < len(self._text) or not self._fill():  # more digits may follow
                    text = self._text[self._at : end]
                    self._report_repeated(value, text)
                    self._at = end
                    return value, text

    def _report_repeated(self, value: Any, text: str) -> None:
        if not isinstance(value, dict | list) or keeps_all_keys(text, value):
            return
        if names := repeated_keys(text):
            self._on_repeated(names, self.line)

    def _fill(self) -> bool:
        """
        Read at least as many characters as are unread; return False at the end of the document.

        Doubling keeps the number of attempts to decode a long value low. Characters before the
        current part are discarded.
        """
        line = self.line
        pieces = [self._text[self._kept :]]
        size, least = 0, len(self._text) - self._at
        for chunk in self._chunks:
            pieces.append(chunk)
            size += len(chunk)
            if size > least:
                break
        self._text = "".join(pieces)
        self._at -= self._kept
        self._kept = 0
        self._counted, self._line = self._at, line
        return size > 0


# ---- decoding


def decode_chunks(stream: Readable, reporter: Reporter) -> Iterator[str]:
    """Decode a stream in its detected encoding; invalid UTF-8 is read as windows-1252."""
    decoder = codecs.getincrementaldecoder("utf-8")(WINDOWS_1252)
    strict = codecs.getincrementaldecoder("utf-8")()
    is_utf8 = True
    line = 1
    for data in chain(utf8_chunks(stream.read, reporter), [b""]):
        text = decoder.decode(data, final=not data)
        if is_utf8:
            try:
                strict.decode(data, final=not data)
            except UnicodeDecodeError as error:
                is_utf8 = False
                line += data.count(b"\n", 0, error.start)
                message = "invalid UTF-8; read as windows-1252"
                reporter.problem("wrong-encoding", message, line=line)
        line += data.count(b"\n")
        yield text


# ---- keys that decoders drop silently

_spaced = re.compile(r'"[ \t\r\n]+:').search
_encode = msgspec.json.Encoder().encode
_KEY_END = '":'


def keeps_all_keys(text: str, value: Any) -> bool:
    """
    Return True only if no key was lost when `value` was decoded from `text`.

    False means that a key may be lost: keys are only counted, which is fast.

    >>> keeps_all_keys('{"a":1,"b":2}', {"a": 1, "b": 2})
    True
    >>> keeps_all_keys('{"a":1,"a":2}', {"a": 2})
    False
    """
    count = text.count(_KEY_END)
    if "\\u0022" in text or (
        ('" ' in text or '"\t' in text or '"\n' in text or '"\r' in text) and _spaced(text)
    ):
        return False  # keys cannot be counted if `":` is escaped or contains whitespace
    if isinstance(value, dict) and count == len(value):
        return True
    try:
        return count == _encode(value).count(_KEY_END.encode())
    except (TypeError, ValueError, OverflowError, RecursionError):  # not encodable by msgspec
        return False


def repeated_keys(text: str) -> list[str]:
    r"""
    Return the keys that occur more than once in the same object, at any depth.

    >>> repeated_keys('{"a":[{"b":1,"b":2}],"c":"\\":"}')
    ['b']
    """
    found: dict[str, None] = {}

    def note(pairs: list[tuple[str, Any]]) -> None:
        counts = Counter(key for key, _ in pairs)
        found.update((key, None) for key, count in counts.items() if count > 1)

    with suppress(ValueError, RecursionError):
        json.loads(text, object_pairs_hook=note)
    return [*found]
