"""The observer of a file that is checked: what its reader sees of it, the checks see, too."""

from collections.abc import Iterator, Sequence

from sitemapx.check.file.checkedfile import CheckedFile
from sitemapx.check.file.inspection import BatchInspection, InspectedEntries
from sitemapx.check.file.validation import FileValidator, Parse

from sitemapx.check.api import Check, CheckContext, Child
from sitemapx.check.file.wellformedness import defect_before_root
from sitemapx.convert.formats.format import Format, Observer
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import decode_utf8, encoding_of
from sitemapx.convert.streams.stream import Lines, Readable
from sitemapx.convert.values import uris
from sitemapx.convert.xml.cutter import Block
from sitemapx.convert.xml.parsers import XmlElement, parse
from sitemapx.convert.xml.repair.declarations import declare
from sitemapx.convert.xml.repair.markup import rebuild_tag
from sitemapx.convert.xml.tags import find_root

__all__ = ["FileObserver"]


class FileObserver(Observer):
    """
    Shows a file to the checks as it is read.

    It looks at the bytes, the blocks and the trees that the reader makes anyway. What is found in
    a batch is told together, in the order of the file.
    """

    needs_elements = True

    def __init__(
        self,
        file: CheckedFile,
        validator: FileValidator,
        reporter: Reporter,
        checks: Sequence[Check],
        known: CheckContext,
    ) -> None:
        """
        Begin with a file.

        Args:
            reporter: Is told of bytes before the first item that are not UTF-8.
            checks: Are shown what is in the file.
            known: Takes all URLs, and what an index lists.

        """
        self._file = file
        self._validator = validator
        self._reporter = reporter
        self._checks = checks
        self._listed = known.listed
        self._children = known.children

    def see_source(self, format: Format, stream: Readable) -> Readable:
        """Count the bytes."""
        self._file.format = format
        self._validator.begin(format)
        return _Watched(stream, self._file)

    def see_head(self, head: Block) -> None:
        """Validate what stands before the first item."""
        file = self._file
        file.position.head = head
        if encoding_of(file.start) == "utf-8":
            first = find_root(file.start)
            before = file.start[: first.start() if first else 0]
            for data, line in ((before, 1), (head.data, head.line)):
                good = data.decode("utf-8", "replace").partition("\ufffd")[0]
                if not decode_utf8(data)[1]:
                    message = "bytes that are not UTF-8"
                    self._reporter.problem("encoding", message, line=line + good.count("\n"))
        self.see_part(head)
        file.has_items = not head.is_last
        if (root := _root_of(head.data)) is None:
            return  # which the reader tells
        self._validator.see(root, is_start=file.has_items)
        self._validator.report()

    def see_part(self, part: Block | Lines) -> None:
        """Remember what is being read, for the places of what is found in it."""
        self._validator.begin_part()
        if self._file.findings.is_full:
            self._file.findings.flush()  # where much is wrong, it takes long to an entry
        self._file.report_rest()
        self._file.position.go_on(part)

    def see_unparsed(self, parse: Parse, *, is_in_order: bool) -> None:
        """Let a block be parsed, if the official schema has to see it and did not yet."""
        if not self._file.position.has_tree:
            self._validator.postpone(parse, is_in_order=is_in_order)

    def see_tree(self, root: XmlElement) -> None:
        """Validate a block against the official schema."""
        self._validator.see(root)

    def see_document(self, document: Document) -> Iterator[Batch]:
        """Show all entries to the checks on their way."""
        file = self._file
        file.head, file.is_index = document.head, document.is_index
        file.is_reading = True
        if file.format and file.format.roots and (defect := defect_before_root(file.start)):
            line, cause = defect
            self._reporter.problem("malformed", f"before the root element: {cause}", line=line)
        # A feed has the same pages as the sitemaps beside it, and an index has no pages.
        kind = "index " if file.is_index else "feed " if file.is_feed else ""
        self._listed.begin(file.source or "", kind)
        for check in self._checks:
            check.begin(file)
        try:
            for batch in document.batches:
                yield self._examined(batch)
        finally:
            for check in self._checks:
                check.end(file)
            self._validator.report()
            file.report_rest()
            file.findings.flush()
            file.is_reading = False
            file.close()

    def _examined(self, batch: Batch) -> Batch:
        """Look at a batch and report what is wrong with it; return it as it was read."""
        file, inspection = self._file, self._inspection(batch)
        self._listed.add(batch, inspection.urls)
        for position, code, message, loc in inspection.findings:
            file.report_at(position, code, message, loc=loc)
        if file.is_index:
            self._see_children()
        for check, result in zip(self._checks, inspection.results, strict=True):
            if result is not None:
                check.take(result, file)
            check.batch(batch, file)
        self._validator.validate(is_valid=inspection.is_valid)
        file.findings.flush()
        file.entries += len(batch)
        return batch

    def _inspection(self, batch: Batch) -> BatchInspection:
        """Look at a batch by itself."""
        locs = self._file.position.locs = batch.locs()
        batch_urls = self._listed.look_at(batch)
        entries = InspectedEntries(self._file, locs)
        results = [check.inspect(batch, entries) for check in self._checks]
        is_valid = self._validator.is_valid(batch)
        return BatchInspection(batch_urls, entries.findings, results, is_valid)

    def _see_children(self) -> None:
        """Remember where an index lists its sitemaps: what is wrong with one is told there."""
        for at, loc in enumerate(self._file.position.locs):
            child = Child(self._file.source, self._file.position_of(at), loc)
            self._children.setdefault(uris.canonical(loc), child)


def _root_of(head: bytes) -> XmlElement | None:
    """Parse what stands before the first item; its start tag as a reader repairs it, if need be."""
    tag = find_root(head)
    sound = rebuild_tag(tag[0]) + head[tag.end() :] if tag else head
    for data in (head, declare(head, head)[0], declare(sound, sound)[0]):
        if (root := parse(data)) is not None:
            return root
    return None


class _Watched:
    """A stream that a file looks at."""

    def __init__(self, stream: Readable, file: CheckedFile) -> None:
        self._stream = stream
        self._file = file

    def read(self, size: int = -1, /) -> bytes:
        """Read, and show what was read."""
        data = self._stream.read(size)
        self._file.take_bytes(data)
        return data
