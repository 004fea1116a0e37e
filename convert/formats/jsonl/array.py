"""A JSON array of objects, read one after the other: memory holds a few, not the document."""

from collections.abc import Callable, Iterator

from sitemapx.convert.formats.format import Context
from sitemapx.convert.json.scanner import JsonError, Scanner
from sitemapx.convert.json.texts import texts
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.lines import Lines
from sitemapx.convert.streams.stream import Readable

__all__ = ["ArrayReader"]

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
