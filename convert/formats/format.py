"""The interface of formats, for those of this package and for plug-ins."""

from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

from sitemapx.convert.formats.blockmap import BlockMap
from sitemapx.convert.formats.limits import Limits, Requirements
from sitemapx.convert.model.batch import FIELDS, Batch
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.encoded import Encoded
from sitemapx.convert.model.problems import ProblemHandler, ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.lines import Lines
from sitemapx.convert.streams.stream import Readable
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from lxml import etree

    from sitemapx.convert.xml.cutting.cutter import Block

__all__ = [
    "Context",
    "ContextFactory",
    "Format",
    "Observer",
    "Reader",
    "Writer",
]


class Observer:
    """
    Observer of a source on its way through its reader; this one ignores it all.

    Attributes:
        needs_elements: Whether all elements with problems have to be of a tree that was seen.

    """

    needs_elements = False

    def see_source(self, format: "Format", stream: Readable) -> Readable:
        """Take the format and the unpacked bytes; the reader gets the stream returned."""
        return stream

    def see_head(self, head: "Block") -> None:
        """Take the XML before the first item, with all end tags."""

    def see_part(self, part: "Block | Lines") -> None:
        """Take the `Block` or `Lines` that is read next."""

    def see_unparsed(
        self, parse: "Callable[[], etree._Element | None]", *, is_in_order: bool
    ) -> None:
        """
        Take a block that was read without a parser.

        Args:
            parse: Parses it.
            is_in_order: Whether its items have the elements of the schema in its order, and right
                words and numbers.

        """

    def see_tree(self, root: "etree._Element") -> None:
        """Take a block, parsed, before its items are read."""

    def see_document(self, document: Document) -> Iterator[Batch]:
        """Take the document; its entries go through the iterator returned."""
        return document.batches


class Context(Reporter):
    """
    The context of a reader: it reports problems, names the wanted fields, and resolves URLs.

    Attributes:
        wanted: The fields that will be used; a reader may leave out others if it counts them in
            its `field_counts`. None: all.
        observer: Sees all that is read.
        blocks: How the blocks of the source are read.

    """

    __slots__ = ("blocks", "observer", "wanted")

    def __init__(
        self,
        report: ProblemHandler = ignore,
        *,
        source: str | None = None,
        url: str | None = None,
        wanted: Collection[str] | None = None,
    ) -> None:
        super().__init__(report, source=source, url=url)
        self.wanted = wanted
        self.observer = Observer()
        self.blocks = BlockMap()

    def wants(self, field: str) -> bool:
        """Return whether a field will be used."""
        return self.wanted is None or field in self.wanted

    def wants_only(self, field: str) -> bool:
        """Return whether no other field will be used."""
        return self.wanted is not None and {field}.issuperset(self.wanted)


class ContextFactory(Protocol):
    """Makes the context of a source; `Context` itself is one."""

    def __call__(
        self,
        report: ProblemHandler,
        /,
        *,
        source: str | None,
        url: str | None,
        wanted: Collection[str] | None,
    ) -> Context:
        """Make the context of the source of this name, published at this URL."""
        ...


class Reader(Protocol):
    """
    Read one format.

    A reader never opens, closes, fetches, prints or collects: it takes an open stream of
    unpacked bytes, and gives a document whose entries are read as they are asked for.
    """

    def __call__(self, stream: Readable, context: Context, /) -> Document:
        """
        Open a document.

        Raises:
            InputError: If the stream is not in this format at all; while iterating as well.

        """
        ...


class Writer(Protocol):
    """
    Write one format.

    A writer never sees a file: the caller joins, counts, splits and compresses what it returns.
    It keeps no state from one call to the next, so one writer serves many files. Writers inherit
    from this class.

    Attributes:
        separator: The bytes with which each entry begins but the first of a file, where the caller
            takes them away.

    """

    separator: bytes = b""

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Return what stands before the entries of a file in which these fields are in use."""
        ...

    def encode(self, batch: Batch) -> Encoded:
        """Return the bytes of the entries; there are none of an entry that cannot be held."""
        ...

    def finish(self) -> bytes:
        """Return what stands after the last entry."""
        ...


class Format(NamedTuple):
    """
    One format.

    Attributes:
        name: What `--from` and `--to` call it.
        title: What people call it.
        read: The `Reader`, or None; as "module:name" it is imported when it is used.
        write: A class whose objects are `Writer`s, made with a `Reporter`; likewise.
        suffixes: Endings of file names, for output; the first is the usual one.
        media_type: The type under which servers send its files (`Content-Type`).
        roots: Names of XML root elements, in lower case, that tell it.
        item: The local name of the XML element of an entry.
        sniff: For what is no XML: tells from the first characters of a file; likewise.
        holds: The fields of an entry that it has a place for.
        limits: Of one file; None if there are none.
        is_published: Whether it is only ever made for search engines, so that the limits
            always apply; else they apply where an output is given an address.
        family: "sitemap" or "feed", whose foreign elements fit into no other; empty for a format
            that holds those of any, or none; see `Document`.
        head: The fields of a head that it has a place for.
        head_needs: Those that must be there.
        unique: The fields by which entries are told apart, so that no two may be alike there.
        requires: The fields that a feed must have; None for what is no feed.
        has_schema: Whether there is an official XML schema (XSD).

    """

    name: str
    title: str
    read: Reader | str | None = None
    write: Callable[[Reporter], Writer] | str | None = None
    suffixes: tuple[str, ...] = ()
    media_type: str = "application/octet-stream"
    roots: tuple[str, ...] = ()
    item: str = ""
    sniff: Callable[[str], bool] | str | None = None
    holds: tuple[str, ...] = FIELDS
    limits: Limits | None = None
    is_published: bool = True
    family: str = ""
    head: tuple[str, ...] = ()
    head_needs: tuple[str, ...] = ()
    unique: tuple[Literal["loc", "id"], ...] = ()
    requires: Requirements | None = None
    has_schema: bool = False

    def reader(self) -> Reader:
        """
        Import the reader.

        Raises:
            UsageError: If there is none.

        """
        if self.read is None:
            raise UsageError(f"format {self.name!r} cannot be read, only written")
        return cast(Reader, _load(self.read))

    def writer(self, reporter: Reporter) -> Writer:
        """
        Import the writer and make one.

        Raises:
            UsageError: If there is none.

        """
        if self.write is None:
            raise UsageError(f"format {self.name!r} cannot be written, only read")
        return cast(Writer, _load(self.write)(reporter))

    def matches(self, start: str) -> bool:
        """Return whether a text that is no XML looks like this format."""
        return self.sniff is not None and bool(_load(self.sniff)(start))


def _load(what: Any) -> Any:
    if not isinstance(what, str):
        return what
    module, _, name = what.partition(":")
    return getattr(import_module(module), name)
