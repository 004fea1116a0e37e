"""
Inspection of a file while it is read, as the context and the observer of its reader.

It may run in a worker process. Results are sent to the main process as `FileMessage`s and findings.
"""

import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Unpack

from sitemapx.check.api import Check
from sitemapx.check.feeds.itemurls import ItemUrls
from sitemapx.check.feeds.jsonfeed import find_feed_defects, find_item_defects
from sitemapx.check.feeds.validator import FeedValidator
from sitemapx.check.file.comments import DisabledRules, disabled_rules
from sitemapx.check.file.filefindings import EnabledRules, FileFindings
from sitemapx.check.file.trial import FixTrial
from sitemapx.check.file.wellformedness import defect_before_root
from sitemapx.check.findings import Finding, Position, RawFinding
from sitemapx.check.positions import MarkupPositions, positions_in
from sitemapx.check.schema.errors import SchemaError
from sitemapx.check.schema.validator import DocumentValidator, are_values_valid
from sitemapx.check.view import BatchUrls, BatchView, File, FileExtent, ServerResponse
from sitemapx.convert.formats.format import Context, Format, Observer
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import Problem, ProblemHandler, reported_loc
from sitemapx.convert.model.reporter import Location, ProblemDetails
from sitemapx.convert.streams.encodings import decode_utf8, encoding_of
from sitemapx.convert.streams.stream import (
    Lines,
    Opened,
    Readable,
    RewoundStream,
    read_start,
)
from sitemapx.convert.values import urls
from sitemapx.convert.xml.cutter import Block
from sitemapx.convert.xml.frame import parse_as_html
from sitemapx.convert.xml.namespaces import declaration_of
from sitemapx.convert.xml.parsers import XmlElement, parse
from sitemapx.convert.xml.repair.declarations import declare
from sitemapx.convert.xml.repair.markup import rebuild_tag
from sitemapx.convert.xml.tags import find_root

_START = 1 << 16
#: Codes whose messages describe an invalid value better than the schema error does.
_BETTER_CODES = {
    "loc": ("loc-character", "loc-escape", "loc-host", "loc-fragment", "loc-too-long"),
    "restriction": ("video-country",),
    "language": ("news-language",),
    "link": ("hreflang-code",),
}
#: Codes of readers of feeds that concern markup which `FeedValidator` validates.
_VALIDATED_CODES = frozenset({"bad-value", "missing-element", "repeated-element"})
_ALL_BETTER_CODES = frozenset(code for codes in _BETTER_CODES.values() for code in codes)

#: Parses a part; returns None if it is not well-formed.
_Parse = Callable[[], XmlElement | None]


class InspectionSettings(NamedTuple):
    """
    Settings that are the same for all files that a run inspects.

    Attributes:
        is_indexed: Whether the URLs are added to an index and have to be hashed.
        validates_feeds: Whether the markup of feeds is validated.

    """

    enabled: EnabledRules
    checks: Sequence[Check]
    is_indexed: bool
    validates_feeds: bool


class FileOpened(NamedTuple):
    """
    Message that a file is read; sent again, with `format_name`, when the format is known.

    `disabled` are the codes of the rules that comments in the file disable.
    """

    url: str | None
    format_name: str = ""
    disabled: Collection[str] = ()


class FileDamaged(NamedTuple):
    """Message that an error prevents fixes of the file."""


class FileStart(NamedTuple):
    """Message before the first batch of a file; for `trial`, see `FileFindings`."""

    file: File
    findings: Sequence[Finding]
    trial: FixTrial | None


class FileBatch(NamedTuple):
    """
    Results of inspecting one batch without regard to other batches.

    Attributes:
        part: Number of the part that the batch was read from.
        findings: The findings in the batch, and in the text between the previous batch and this
            one.
        partials: The partial result of each check, for `Check.merge`.
        schema_findings: Findings of validation, which are reported after the findings of the
            checks.

    """

    urls: BatchUrls
    part: int
    findings: Sequence[Finding]
    partials: Sequence[object]
    schema_findings: Sequence[Finding]


class FileEnd(NamedTuple):
    """The end of a file, read completely or not; for `schema_findings`, see `FileBatch`."""

    extent: FileExtent
    findings: Sequence[Finding]
    schema_findings: Sequence[Finding]


class FileMessage(Problem, frozen=True, kw_only=True):
    """A message from the reader of a file to the merging process; sent like a problem."""

    event: FileOpened | FileDamaged | FileStart | FileBatch | FileEnd


class FileReading(Context, Observer):
    """
    The context and the observer of the reader of a file.

    `report` is called with each `FileMessage`, and with findings outside of batches.
    """

    reports_form = True
    needs_elements = True

    def __init__(
        self,
        report: ProblemHandler,
        settings: InspectionSettings,
        *,
        source: str | None,
        url: str | None,
        wanted: Collection[str] | None,
    ) -> None:
        super().__init__(report, source=source, url=url, wanted=wanted, observer=self)
        self._settings = settings
        self._format: Format | None = None
        self._trial: FixTrial | None = None
        self._findings = self._new_findings()
        self._stream = _WatchedStream(io.BytesIO())
        self._validator: DocumentValidator | None = None
        self._feed_validator: FeedValidator | None = None
        self._item_urls = ItemUrls()
        self._is_xml_feed = False
        self._head: Block | None = None
        self._has_items = self._is_head_valid = self._is_in_entries = False
        self._part = _CurrentPart(0, None)
        self._entries = 0
        self._response: ServerResponse | None = None
        self._send(FileOpened(url))

    def _new_findings(self) -> FileFindings:
        enabled, where = self._settings.enabled, {"source": self.source, "url": self.url}
        return FileFindings(
            enabled,
            self._report,
            **where,
            format=self._format,
            trial=self._trial,
            on_damage=lambda: self._send(FileDamaged()),
        )

    def _send(self, event: FileOpened | FileDamaged | FileStart | FileBatch | FileEnd) -> None:
        self._report(FileMessage("", "note", "", self.source, event=event))

    # ---- the context: problems that the reader reports

    def problem(self, code: str, message: str, **details: Unpack[ProblemDetails]) -> None:
        """Report a problem of the reader, without the repair, unless it is reported elsewhere."""
        if code == "empty" and self._has_items:
            return  # the items have errors, which are reported
        if code == "ignored-element":
            return  # only conversions drop the element
        if code in _VALIDATED_CODES and self._is_xml_feed and self._part.has_tree:
            return
        if code == "bad-value" and self._format and self._format.name == "jsonfeed":
            return  # reported by `on_json_item` and `on_json_feed`
        loc, element, line = details.get("loc"), details.get("element"), details.get("line")
        if code == "relative-loc" and self._is_resolvable(loc):
            return
        fails_schema = self._is_rejected(code, element, details.get("is_readable", False))
        count, findings = details.get("count"), self._findings
        if not findings.admit(code, loc, fails_schema=fails_schema, count=count or 1):
            return
        position = self._part.position_of(line, element)
        if code == "namespace":
            position = self._declaration_of(details.get("namespace")) or position
        findings.keep(
            RawFinding(
                code,
                message + details.get("quoted", ""),
                position,
                loc,
                details.get("source"),
                count,
                fails_schema,
                _is_located(position, element) and findings.is_fixable(code, element),
            )
        )
        if not self._is_in_entries:
            findings.flush()

    def _is_resolvable(self, loc: str | None) -> bool:
        """Return whether Atom allows a relative URL: if resolved, or if the base is unknown."""
        is_atom = self._format is not None and self._format.name == "atom"
        return is_atom and bool(loc or not self.url)

    def _is_rejected(self, code: str, element: XmlElement | None, is_readable: bool) -> bool:
        """
        Return whether the schema rejects the element, or XML parsers the encoding, of a problem.

        A schema error is removed, so that it is not reported separately.
        """
        if self._validator is None:
            return False
        if code == "wrong-encoding" and not is_readable:
            return True
        return element is not None and self._validator.take_error(element, code)

    def _declaration_of(self, namespace: str | None) -> Position | None:
        """Return the position in the head where a namespace is declared, if known."""
        if self._head is None:
            return None
        at = declaration_of(namespace, self._head.data)
        return MarkupPositions(self._head).position_at(at) if at >= 0 else None

    def tally(
        self, code: str, message: str, *, done: str = "", **location: Unpack[Location]
    ) -> None:
        """Report each occurrence of a problem, unlike conversions, which report only the number."""
        self.problem(code, message, done=done, **location)

    def note_form(self, code: str, message: str, **location: Unpack[Location]) -> None:
        """Report a value in a nonstandard form, which conversions accept silently."""
        self.problem(code, message, **location)

    def resolved(self, url: str, code: str, **location: Unpack[Location]) -> str:
        """Return the absolute URL, if known; report a relative URL that was resolved."""
        found = super().resolved(url, code, **location)
        if found != url:
            self.problem(code, f"URL is not absolute: {url!r}", **location)
        return found

    # ---- the observer: bytes, parts, trees and batches

    def on_response(self, opened: Opened, *, is_packed: bool) -> None:
        codings = ",".join(opened.headers("Content-Encoding")).lower().split(",")
        self._response = ServerResponse(
            opened.name,
            opened.url or opened.name,
            next(iter(opened.headers("Content-Type")), ""),
            [coding.strip() for coding in codings if coding.strip()],
            is_packed,
        )

    def on_source(self, format: Format, stream: Readable) -> Readable:
        self._findings.end_part(Position())
        self._findings.flush()
        self._format = format
        self._trial = self._settings.enabled.new_trial(self.source, self.url, format)
        self._findings = self._new_findings()
        if format.has_schema:
            self._validator = DocumentValidator(format.roots[0])
        self._is_xml_feed = format.family == "feed" and bool(format.roots)
        if self._is_xml_feed and self._settings.validates_feeds:
            self._feed_validator = FeedValidator(self._report_defect, self._prepare_defect)
        disabled = DisabledRules()
        if format.roots:
            start = read_start(stream, _START)
            stream = RewoundStream(start, stream)
            disabled = disabled_rules(start, self._settings.enabled.rules)
        self._stream = _WatchedStream(stream)
        self._send(FileOpened(self.url, format.name, disabled.codes))
        for line, message in disabled.mistakes:
            self.problem("bad-suppression", message, line=line)
        return self._stream

    def on_head(self, head: Block) -> None:
        self._head = head
        start = self._stream.start
        if encoding_of(start) == "utf-8":
            first = find_root(start)
            before = start[: first.start() if first else 0]
            for data, line in ((before, 1), (head.data, head.line)):
                good = data.decode("utf-8", "replace").partition("\ufffd")[0]
                if not decode_utf8(data)[1]:
                    message = "bytes that are not UTF-8"
                    self.problem("wrong-encoding", message, line=line + good.count("\n"))
        self.on_part(head)
        self._has_items = not head.is_last
        if (root := _root_of(head.data)) is None and self._feed_validator:
            root = parse_as_html(head.data)
        if root is None:
            return  # the reader reports the error
        self._is_head_valid = self._has_items
        self._validate(root, is_head=self._has_items or self._feed_validator is not None)
        self._report_schema_errors()

    def on_part(self, part: Block | Lines) -> None:
        self._report_schema_errors()
        if self._findings.is_full:
            self._findings.flush()  # damaged files may have many parts without entries
        self._end_part()
        self._part = _CurrentPart(self._part.number + 1, part)

    def _end_part(self) -> None:
        positions = self._part.positions if self._findings.has_sums else None
        end = positions.position_of_line(positions.last_line) if positions else Position()
        self._findings.end_part(end)

    def on_unparsed(self, parse: _Parse, *, is_structure_valid: bool) -> None:
        """Store `parse`, in case schema validation needs the tree of the current part later."""
        if self._validator and not self._validator.is_full:
            self._part.postpone(
                parse, is_structure_valid=is_structure_valid and self._is_head_valid
            )

    def on_tree(self, root: XmlElement) -> None:
        if self._format and self._format.name == "opml":
            if self._settings.validates_feeds:
                self._part.record_tree()
                FeedValidator(self._report_defect, self._prepare_defect).validate_opml(root)
        elif self._has_items or not self._feed_validator:  # `on_head` validates heads of feeds
            self._validate(root)

    def _validate(self, root: XmlElement, *, is_head: bool = False) -> None:
        self._part.record_tree()
        if self._validator:
            self._validator.validate(root, is_head=is_head)
        elif self._feed_validator:
            self._feed_validator.validate(root, is_head=is_head)

    def _report_defect(self, element: XmlElement, code: str, message: str) -> None:
        if self._findings.admit(code, self._item_urls.find(element)):
            self._prepare_defect(element, code, message)()

    def _prepare_defect(self, element: XmlElement, code: str, message: str) -> Callable[[], object]:
        """Return a function that reports a possible defect, to be called if it is confirmed."""
        loc = self._item_urls.find(element)
        position = self._part.position_of_element(element) or Position()
        is_fixable = self._findings.is_fixable(code, element)
        raw = RawFinding(code, message, position, loc, is_fixable=is_fixable)
        return partial(self._findings.keep, raw)

    def on_json_item(self, item: object, line: int, feed: Mapping[str, Any]) -> None:
        url = item.get("url") if isinstance(item, dict) else None
        self._report_json(
            find_item_defects(item, feed), line, url if isinstance(url, str) else None
        )

    def on_json_feed(self, feed: Mapping[str, Any]) -> None:
        self._report_json(find_feed_defects(feed), None, None)

    def _report_json(
        self, defects: Iterable[tuple[str, str]], line: int | None, loc: str | None
    ) -> None:
        for code, message in defects if self._settings.validates_feeds else ():
            if self._findings.admit(code, loc):
                position = self._part.position_of(line, None) if line else Position()
                self._findings.keep(RawFinding(code, message, position, loc, is_fixable=False))
        if not self._is_in_entries:
            self._findings.flush()

    def on_document(self, document: Document) -> Iterator[Batch]:
        """Yield the batches of the document after inspecting each; send messages with results."""
        self._is_in_entries = True
        assert self._format
        roots, start = self._format.roots, self._stream.start
        if roots and (defect := defect_before_root(start)):
            line, cause = defect
            self.problem("malformed", f"before the root element: {cause}", line=line)
        name, head = self._format.name, document.head
        is_index, response = document.is_index, self._response
        file = File(self.source, self.url, name, head, is_index, start, response)
        self._send(FileStart(file, self._findings.take_kept(), self._trial))
        try:
            for batch in document.batches:
                self._send(self._inspect(batch, file))
                self._entries += len(batch)
                yield batch
        finally:
            findings, extent = self._findings.take_kept(), self._stream.extent(self._entries)
            self._report_schema_errors()
            if self._feed_validator:
                for code, message in self._feed_validator.finish():
                    self._findings.keep(RawFinding(code, message))
            self._end_part()
            self._send(FileEnd(extent, findings, self._findings.take_kept()))
            self._is_in_entries = False
            if self._trial:
                self._trial.close()

    def _inspect(self, batch: Batch, file: File) -> FileBatch:
        view = BatchView(batch, file, self._part.positions)
        if self._settings.is_indexed:
            assert view.urls.hashes is not None
        results = [check.check_batch(view) for check in self._settings.checks]
        for result in results:
            for raw in result.findings:
                self._findings.add_finding(raw)
        before = len(self._findings.kept)
        if self._validator and (root := self._part.tree_to_validate(view)) is not None:
            self._validate(root)
        self._report_schema_errors()
        kept = self._findings.take_kept()
        partials = [result.partial for result in results]
        return FileBatch(view.urls, self._part.number, kept[:before], partials, kept[before:])

    def _report_schema_errors(self) -> None:
        """Report schema errors that neither the reader nor a check has reported."""
        if self._validator is None:
            return
        places = None
        for error in self._validator.take_errors():
            if error.name in _BETTER_CODES and places is None:
                places = self._findings.indexes_by_key(_ALL_BETTER_CODES)
            if not (places and self._merge_into_finding(error, places)):
                self._report_schema_error(error)

    def _merge_into_finding(
        self, error: SchemaError, places: dict[tuple[str, str | None], list[int]]
    ) -> bool:
        """
        Mark the finding that already reports a schema error; return whether there is a finding.

        `places` maps the code and URL of findings to their indexes in the buffer, which are empty
        if the findings were only counted.
        """
        url = urls.clean(error.element.text or "") if error.name == "loc" else error.loc
        key = reported_loc(url) or None
        kept = self._findings.kept
        for code in _BETTER_CODES.get(error.name, ()):
            if (code, key) in places:
                indexes = places[code, key]
                same = (at for at in indexes[::-1] if error.is_reported_by(kept[at].message))
                at = next(same, None)
                if at is not None or not indexes:
                    self._findings.mark_schema_error(code, at)
                    return True
        return False

    def _report_schema_error(self, error: SchemaError) -> None:
        code, loc = error.code, error.loc
        if self._findings.admit(code, loc, fails_schema=error.is_sure):
            position = self._part.position_of_element(error.element) or Position()
            if code == "namespace":
                position = self._declaration_of(error.namespace) or position
            self._findings.keep(
                RawFinding(
                    code,
                    error.message,
                    position,
                    loc,
                    fails_schema=error.is_sure,
                    is_fixable=_is_located(position, error.element)
                    and self._findings.is_fixable(code, error.element),
                )
            )


def _is_located(position: Position, element: XmlElement | None) -> bool:
    """Return whether a fix can locate the element of a finding; True without an element."""
    return element is None or position.line is not None


class _CurrentPart:
    """The part of a file that is being read; before the first one, `part` is None."""

    def __init__(self, number: int, part: Block | Lines | None) -> None:
        self.number = number
        self.positions = None if part is None else positions_in(part)
        self.has_tree = False
        self._data = part.data if isinstance(part, Block) else b""
        self._parse: _Parse | None = None
        self._is_structure_valid = False

    def position_of(self, line: int | None, element: XmlElement | None) -> Position:
        """Return the position of an element; if it cannot be found, of the line."""
        found = self.position_of_element(element) if element is not None and self.has_tree else None
        if found:
            return found
        return self.positions.position_of_line(line) if line and self.positions else Position(line)

    def position_of_element(self, element: XmlElement) -> Position | None:
        return self.positions.position_of_element(element) if self.positions else None

    def record_tree(self) -> None:
        """Record that the part was parsed, so that elements of its tree can be located."""
        self.has_tree = True

    def postpone(self, parse: _Parse, *, is_structure_valid: bool) -> None:
        """
        Defer parsing the part, which was read without an XML parser.

        For `is_structure_valid`, see `Observer.on_unparsed`.
        """
        self._parse, self._is_structure_valid = parse, is_structure_valid

    def tree_to_validate(self, view: BatchView) -> XmlElement | None:
        """Return the tree of the part if it has to be validated; else, or if ill-formed, None."""
        if self._parse is None or (self._is_structure_valid and are_values_valid(view, self._data)):
            return None
        return self._parse()


def _root_of(head: bytes) -> XmlElement | None:
    """Parse the XML before the first item, repaired if necessary; None if still ill-formed."""
    tag = find_root(head)
    sound = rebuild_tag(tag[0]) + head[tag.end() :] if tag else head
    for data in (head, declare(head, head)[0], declare(sound, sound)[0]):
        if (root := parse(data)) is not None:
            return root
    return None


class _WatchedStream:
    """A stream that records its first bytes (`start`), how much was read, and if all is ASCII."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._size = 0
        self._is_ascii = True
        self.start = b""

    def read(self, size: int = -1, /) -> bytes:
        data = self._stream.read(size)
        if len(self.start) < _START:
            self.start += data[: _START - len(self.start)]
        self._size += len(data)
        self._is_ascii = self._is_ascii and data.isascii()
        return data

    def extent(self, entries: int) -> FileExtent:
        """Describe the data read so far; `entries` is the number of its entries."""
        return FileExtent(entries, self._size, self._is_ascii, self.start)
