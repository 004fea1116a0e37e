"""The interface of formats, both in this package and in plug-ins."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

from sitemapx.convert.disk.draft import Packer
from sitemapx.convert.formats.limits import Limits, Requirements
from sitemapx.convert.formats.pages import PageWriter
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import FIELDS, Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import ProblemHandler, ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.stream import Lines, Opened, Readable
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from lxml import etree

    from sitemapx.convert.xml.cutter import Block


class Observer:
    """
    Receives the parts of a source as they are read, for checks; this base class does nothing.

    Attributes:
        needs_elements: Whether each problem must be reported with an element of a tree that was
            passed to `on_tree`, which makes readers slower.

    """

    needs_elements = False

    def on_response(self, opened: Opened, *, is_packed: bool) -> None:
        """
        Receive the response of a server, before its body is decompressed.

        Args:
            opened: The response; its body must not be read.
            is_packed: Whether the body, as sent, is compressed with gzip.

        """

    def on_source(self, format: "Format", stream: Readable) -> Readable:
        """
        Receive the format and the decompressed stream of a source, before the reader is called.

        Returns:
            The stream for the reader: the given one, or a wrapper around it.

        """
        return stream

    def on_head(self, head: "Block") -> None:
        """Receive the XML from the root tag to the first item, completed by end tags."""

    def on_part(self, part: "Block | Lines") -> None:
        """Receive a part of the source before its entries are yielded."""

    def on_unparsed(
        self, parse: "Callable[[], etree._Element | None]", *, is_structure_valid: bool
    ) -> None:
        """
        Receive a block that was read without an XML parser.

        Args:
            parse: Function that parses the block and returns its root, or None if the block is not
                well-formed.
            is_structure_valid: Whether the elements of its items are in the order of the schema,
                with valid keywords and numbers; URLs and dates may be invalid.

        """

    def on_tree(self, root: "etree._Element") -> None:
        """Receive the root of XML that was parsed without recovery, before its items are read."""

    def on_json_item(self, item: object, line: int, feed: Mapping[str, Any]) -> None:
        """
        Receive a decoded item of JSON Feed before it becomes an entry.

        Args:
            item: The item; a dictionary if it is valid.
            line: Line of the item.
            feed: The keys of the feed that have been read so far, with their values.

        """

    def on_json_feed(self, feed: Mapping[str, Any]) -> None:
        """Receive the keys and values of a JSON Feed without syntax errors; `items` is empty."""

    def on_document(self, document: Document) -> Iterator[Batch]:
        """
        Receive the document before its entries are read.

        Returns:
            The batches of the document, to be used in place of `document.batches`.

        """
        return document.batches


class Context(Reporter):
    """
    Context of a reader: it reports problems, names the wanted fields and resolves URLs.

    Args:
        report: Called with each problem.
        source: Name of the source, for messages.
        url: Public URL of the source; relative URLs are resolved against it.
        wanted: Names of the fields that will be used; None for all.
        observer: Receives the parts of the source.

    Attributes:
        wanted: Names of the fields that will be used; None for all. A reader may drop other fields
            if it includes them in the `field_counts` of its batches.
        keeps_unlisted: Whether to keep pages that the source marks as unsuitable for a sitemap,
            such as redirects in the export of a crawler.
        observer: Receives the parts of the source.

    """

    __slots__ = ("keeps_unlisted", "observer", "wanted")

    def __init__(
        self,
        report: ProblemHandler = ignore,
        *,
        source: str | None = None,
        url: str | None = None,
        wanted: Collection[str] | None = None,
        observer: Observer | None = None,
    ) -> None:
        super().__init__(report, source=source, url=url)
        self.wanted = wanted
        self.keeps_unlisted = False
        self.observer = observer or Observer()

    def wants(self, field: str) -> bool:
        """Return whether a field will be used."""
        return self.wanted is None or field in self.wanted

    @property
    def wants_only_urls(self) -> bool:
        """Whether the URL is the only field that will be used."""
        return self.wanted is not None and {"loc"}.issuperset(self.wanted)


class ContextFactory(Protocol):
    """Creates the `Context` of a source; the class `Context` is such a factory itself."""

    def __call__(
        self,
        report: ProblemHandler,
        /,
        *,
        source: str | None,
        url: str | None,
        wanted: Collection[str] | None,
    ) -> Context:
        """Create the context of the source named `source`, whose public URL is `url`."""
        ...


class Reader(Protocol):
    """
    Function that reads one format.

    A reader takes an open stream of decompressed bytes and a `Context`, and returns a `Document`
    whose entries should be read on demand, as they may not fit into memory. A reader must not close
    the stream, fetch URLs or print anything.
    """

    def __call__(self, stream: Readable, context: Context, /) -> Document:
        """
        Return the document in the stream.

        Raises:
            InputError: If the stream is not in this format; may also be raised while iterating.

        """
        ...


class Format(NamedTuple):
    """
    Definition of a format.

    Attributes:
        name: Name by which functions and commands refer to the format, such as "sitemap".
        title: Name for people, such as "RSS 2.0".
        read: The `Reader`; "module:name" to import it on first use; None if the format cannot be
            read.
        write: Class of the `Writer` or `PageWriter`, which takes a `Reporter`; "module:name" to
            import it on first use; None if the format cannot be written.
        suffixes: File name extensions from which the format of an output is inferred, the default
            first.
        media_type: MIME type of its files (`Content-Type`).
        roots: Names of the XML root elements that identify the format, in lower case.
        item: Local name of the XML element of an entry.
        sniff: Function that takes the first characters of a file that is not XML and returns
            whether they are in this format; or "module:name".
        holds: Names of the `Entry` fields that the format supports.
        limits: Limits of a single file; None for no limits.
        is_published: Whether files of this format are intended only for search engines, so that
            `limits` always apply, not only if the target has a base URL or its own limits.
        is_paged: Whether `write` is a `PageWriter`, which divides all entries into pages itself.
        family: "sitemap" or "feed": foreign XML elements are kept only within a family; or empty.
        head: Names of the `Head` fields that the format supports.
        head_needs: Names of the `Head` fields that the format requires.
        unique: Fields that identify an entry, so that each value may occur only once.
        requires: Fields that a feed must have; None if the format is not a feed.
        has_schema: Whether there is an official XML schema (XSD).
        doctype: Name in the DOCTYPE that identifies the format, in lower case.
        uses: Names of the fields that the format does not support, but from which its writer fills
            in missing values of other fields.
        magic: First bytes of its files, for a format that is not text.
        packer: Function that returns a `Packer`, which converts the bytes of the writer to the
            bytes of a file; "module:name" to import it on first use. None for no conversion.
        with_columns: Function that takes the format and column names, and returns the format with
            these columns; "module:name" to import it on first use; None if the format has no
            columns.
        arrange: Function that prepares a whole output before it is written: takes the format, all
            batches and a `Reporter`, and returns the format to write with and the batches to write;
            "module:name" to import it on first use. None if batches are written unchanged.

    """

    name: str
    title: str
    read: Reader | str | None = None
    write: Callable[[Reporter], Writer | PageWriter] | str | None = None
    suffixes: tuple[str, ...] = ()
    media_type: str = "application/octet-stream"
    roots: tuple[str, ...] = ()
    item: str = ""
    sniff: Callable[[str], bool] | str | None = None
    holds: tuple[str, ...] = FIELDS
    limits: Limits | None = None
    is_published: bool = True
    is_paged: bool = False
    family: str = ""
    head: tuple[str, ...] = ()
    head_needs: tuple[str, ...] = ()
    unique: tuple[Literal["loc", "id"], ...] = ()
    requires: Requirements | None = None
    has_schema: bool = False
    doctype: str = ""
    uses: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    packer: Callable[[], Packer] | str | None = None
    with_columns: "Callable[[Format, Sequence[str]], Format] | str | None" = None
    arrange: "Arrange | str | None" = None

    def reader(self) -> Reader:
        """Return the reader of the format; raise `UsageError` if the format cannot be read."""
        if self.read is None:
            raise UsageError(f"format {self.name!r} cannot be read, only written")
        return cast(Reader, _load(self.read))

    def writer(self, reporter: Reporter) -> Writer:
        """Return a new writer of the format; raise `UsageError` if the format cannot be written."""
        if self.write is None:
            raise UsageError(f"format {self.name!r} cannot be written, only read")
        return cast(Writer, _load(self.write)(reporter))

    def new_packer(self) -> Packer:
        """Create a packer for a file by calling the function `packer`, which must be set."""
        return cast(Packer, _load(self.packer)())

    def having(self, columns: Sequence[str]) -> "Format":
        """Return the format with only these columns; `with_columns` must be set."""
        return cast(Format, _load(self.with_columns)(self, columns))

    def arranged(
        self, batches: Iterator[Batch], reporter: Reporter
    ) -> "tuple[Format, Iterator[Batch]]":
        """
        Apply `arrange`: return the format to write with, and the batches to write.

        Without `arrange`, both are unchanged.
        """
        if self.arrange is None:
            return self, batches
        return cast("Arrange", _load(self.arrange))(self, batches, reporter)

    def matches(self, start: str) -> bool:
        """
        Return whether a text that is not XML appears to be in this format.

        Args:
            start: The first characters of the text.

        """
        return self.sniff is not None and bool(_load(self.sniff)(start))


def report_if_empty(
    batches: Iterable[Batch], context: Context, message: str, code: str = "empty"
) -> Iterator[Batch]:
    """Yield the same batches; at the end, report a problem if there were no batches."""
    is_empty = True
    for batch in batches:
        is_empty = False
        yield batch
    if is_empty:
        context.problem(code, message)


#: Prepares the batches of an output before it is written; see `Format`.
Arrange = Callable[[Format, Iterator[Batch], Reporter], tuple[Format, Iterator[Batch]]]


def _load(reference: Any) -> Any:
    if not isinstance(reference, str):
        return reference
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
