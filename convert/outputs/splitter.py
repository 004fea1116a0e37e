"""
Split entries into files: fill one file up to the limits, then start the next.

The limit of a file in bytes includes its start and end.
"""

from collections.abc import Callable
from typing import NamedTuple

from sitemapx.convert.disk.draft import Draft
from sitemapx.convert.formats.limits import Limits
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter


class FilePart(NamedTuple):
    data: bytes
    entries: int
    news: int
    fields: frozenset[str]


class DraftedFile:
    """A file that is being written; `name` is its name or number in the set."""

    def __init__(self, name: str, draft: Draft) -> None:
        self.name = name
        self.draft = draft
        self.entries = 0


class OutputFile(DraftedFile):
    def __init__(
        self, name: str, draft: Draft, writer: Writer, head: Head, limits: Limits | None
    ) -> None:
        super().__init__(name, draft)
        self._writer = writer
        self._head = head
        self._limits = limits
        self._end = writer.finish()
        self._fields: frozenset[str] = frozenset()
        self._start = self._written_start = b""
        self._news = self._size = 0

    def has_room(self, part: FilePart) -> bool:
        limits = self._limits
        if limits is None:
            return True
        size = len(self._start_with(part)) + self._size + len(part.data) + len(self._end)
        return (
            self.entries + part.entries <= limits.entries
            and self._news + part.news <= limits.news
            and size <= limits.size
        )

    def _start_with(self, part: FilePart) -> bytes:
        if self._start and part.fields <= self._fields:
            return self._start
        return self._writer.start(self._head, self._fields | part.fields)

    def write(self, part: FilePart) -> None:
        self._start = self._start_with(part)
        self._fields |= part.fields
        data = part.data
        if not self.entries:
            self._written_start = self._start
            self.draft.write(self._start)
            data = part.data.removeprefix(self._writer.separator)
        self.draft.write(data)
        self.entries += part.entries
        self._news += part.news
        self._size += len(part.data)

    def finish(self, head: Head | None = None) -> None:
        """Write the end; rewrite the start if another head or other fields change the start."""
        if not self.entries:
            self._written_start = self._start = self._writer.start(self._head, ())
            self.draft.write(self._start)
        if head:
            self._start = self._writer.start(head, self._fields)
        self.draft.write(self._end)
        if self._start != self._written_start:
            self.draft.replace_start(len(self._written_start), self._start)
        self.draft.close()


class FileSplitter:
    """
    Distributes entries over files.

    `new_draft` takes the number of a file as text, from "1", and returns the draft, or raises an
    error if a second file is not allowed.
    """

    def __init__(
        self,
        writer: Writer,
        head: Head,
        limits: Limits | None,
        reporter: Reporter,
        new_draft: Callable[[str], Draft],
    ) -> None:
        self._writer = writer
        self._head = head
        self._limits = limits
        self._new_draft = new_draft
        self._reporter = reporter
        self.files: list[OutputFile] = []
        self._begin_file()

    def _begin_file(self) -> None:
        name = str(len(self.files) + 1)
        draft = self._new_draft(name)
        self.files.append(OutputFile(name, draft, self._writer, self._head, self._limits))

    @property
    def makes_set(self) -> bool:
        return len(self.files) > 1

    @property
    def can_revise(self) -> bool:
        return not self.makes_set

    @property
    def file(self) -> OutputFile:
        return self.files[-1]

    @property
    def entries(self) -> int:
        return sum(file.entries for file in self.files)

    def add_batch(self, batch: Batch) -> None:
        self._add_encoded(batch, batch.encoded(self._writer))

    def _add_encoded(self, batch: Batch, encoded: Encoded) -> None:
        field_counts = batch.field_counts()
        part = FilePart(
            encoded.data, encoded.held, field_counts.get("news", 0), frozenset(field_counts)
        )
        if not part.entries:
            return
        if self.file.has_room(part):
            self.file.write(part)
        elif len(batch) > 1:  # bisect down to the first entry that does not fit
            chunks, middle = encoded.chunks(), len(batch) // 2
            self._add_encoded(Batch(batch.entries[:middle]), Encoded.from_chunks(chunks[:middle]))
            self._add_encoded(Batch(batch.entries[middle:]), Encoded.from_chunks(chunks[middle:]))
        elif self._is_too_large(part):
            loc = batch.entries[0].loc
            self._reporter.problem(
                "over-limit", "entry is larger than the limit of a file; skipped", loc=loc
            )
        else:
            full = self.file
            self._begin_file()  # before any change, as it may raise
            full.finish()
            self.file.write(part)

    def finish(self, head: Head | None = None) -> None:
        """Finish the last file, with another head if no other file exists."""
        self.file.finish(head if self.can_revise else None)

    def _is_too_large(self, part: FilePart) -> bool:
        around = len(self._writer.start(self._head, part.fields)) + len(self._writer.finish())
        return self._limits is not None and around + len(part.data) > self._limits.size

    def discard(self) -> None:
        for file in self.files:
            file.draft.discard()
