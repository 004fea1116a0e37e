"""
A file while it is checked: what its reader sees of it, and what is found in it.

To the reader it is a `Context`. It looks at the bytes, the blocks and the trees that the reader
makes anyway, and hands the entries to the checks. What is found in a batch is told together, in
the order of the file.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lxml import etree
from msgspec.structs import replace

from sitemapx.convert import urls
from sitemapx.convert.cutting import Block
from sitemapx.convert.document import Batch, Document, Head
from sitemapx.convert.elements import local_name
from sitemapx.convert.encodings import Readable, decode_utf8, encoding_of
from sitemapx.convert.findings import Finding
from sitemapx.convert.formats import Format
from sitemapx.convert.lines import Lines
from sitemapx.convert.places import Place
from sitemapx.convert.position import Position
from sitemapx.convert.problems import Context, Report
from sitemapx.convert.repair import declare, sound_tag
from sitemapx.convert.rules.schema import Refusals
from sitemapx.convert.rules.surelyright import are_values_right
from sitemapx.convert.tags import find_root
from sitemapx.convert.wording import MAX_LOC, clipped

if TYPE_CHECKING:
    from sitemapx.convert.rules.check import Check, Child
    from sitemapx.convert.rules.listed import Listed

__all__ = ["CheckedFile"]

#: Makes a finding of a code, a message, and what is known; None if nobody wants to know.
Make = Callable[..., Finding | None]

#: What reading did about a problem, which is of no interest to a check.
_DONE = re.compile(
    r"(?:; the entry is left out|; left out| left out|; kept as text|;? kept|; read once"
    r"| made absolute|: kept without a zone|; read as in HTML|: read without it)?"
    r"(?:; --source-url makes it absolute)?$"
)
#: The ends of `_DONE`, for which it takes long to search.
_ENDINGS = (
    *(
        "left out",
        "kept as text",
        "kept",
        "read once",
        "absolute",
        "without a zone",
        "read as in HTML",
    ),
    "read without it",
)
#: What a parser reads all the same, though not as it was meant.
_READABLE = "but it is UTF-8"
#: What says more of elements than that the schema refuses them.
_SAYS_MORE = {
    "loc": ("loc-character", "loc-escape", "loc-host", "loc-fragment", "loc-too-long"),
    "restriction": ("video-country",),
    "language": ("news-language",),
    "link": ("hreflang-code",),
}
_START = 4096
#: So many findings of a code are told of a part, more than it can have entries.
_MOST_ALIKE = 5000
#: So many findings wait for the batch that they belong to.
_MOST_KEPT = 5000


class CheckedFile(Context):
    """
    One file of those that are checked.

    Attributes:
        form: Its format; None for a folder of pages.
        head: What a feed says of itself.
        is_index: Whether its entries are sitemaps.
        start: Its first bytes, unpacked.
        is_ascii: Whether all its bytes are ASCII, so far.
        size: How many bytes it has, unpacked, so far.
        entries: How many entries it has, so far.

    """

    def __init__(
        self,
        report: Report,
        *,
        checks: "Sequence[Check]",
        listed: "Listed",
        make: Make,
        children: "dict[str, Child]",
        **known: Any,
    ) -> None:
        """
        Begin with a file.

        Args:
            checks: Are shown what is in it.
            children: Takes what an index lists.
            listed: Takes all URLs, for the checks.
            known: What any context knows.

        """
        super().__init__(report, **known)
        self._listed = listed
        self.form: Format | None = None
        self.head = Head()
        self.is_index = False
        self.start = b""
        self.is_ascii = True
        self.size = self.entries = 0
        self._checks, self._make, self._children = checks, make, children
        self._findings: list[Finding] = []
        self._alike: Counter[str] = Counter()
        self._is_reading = False
        self._position = Position()
        self._parse: Callable[[], etree._Element | None] | None = None
        self._skeletons: Collection[str] = ()
        self._refusals: Refusals | None = None
        self._has_items = False

    @property
    def has_schema(self) -> bool:
        """Whether there is an official schema of its format."""
        return self._refusals is not None

    @property
    def is_feed(self) -> bool:
        """Whether it is a feed."""
        return self.form is not None and self.form.family == "feed"

    # ---- what the reader shows

    def see_source(self, form: Format, stream: Readable) -> Readable:
        """Count the bytes."""
        self.form = form
        if form.family == "sitemap" or form.name == "sitemapindex":
            self._refusals = Refusals(form.roots[0])
        return _Watched(stream, self)

    def see_bytes(self, data: bytes) -> None:
        """Take bytes that are read."""
        if len(self.start) < _START:
            self.start += data[: _START - len(self.start)]
        self.size += len(data)
        self.is_ascii = self.is_ascii and data.isascii()

    def see_head(self, head: Block) -> None:
        """Judge what stands before the first item."""
        self._position.head = head
        if encoding_of(self.start) == "utf-8":
            first = find_root(self.start)
            before = self.start[: first.start() if first else 0]
            for data, line in ((before, 1), (head.data, head.line)):
                good = data.decode("utf-8", "replace").partition("\ufffd")[0]
                if not decode_utf8(data)[1]:
                    said = "bytes that are not UTF-8"
                    self.problem("encoding", said, line=line + good.count("\n"))
        self.see_part(head)
        self._has_items = not head.is_last
        if (root := _root_of(head.data)) is None:
            return  # which the reader tells
        self._position.has_tree = True
        if self._refusals:
            self._refusals.see(root, is_start=self._has_items)
            self._tell_refusals()

    def see_part(self, part: Block | Lines) -> None:
        """Remember what is being read, for the places of what is found in it."""
        self._tell_refusals()
        if len(self._findings) > _MOST_KEPT:
            self._flush()  # where much is wrong, it takes long to an entry
        self._tell_how_often()
        self._position.go_on(part)
        self._parse = None

    def _tell_how_often(self) -> None:
        """Tell how many findings of a part were only counted."""
        counts, self._alike = self._alike, Counter()
        for code, count in counts.items():
            if count > _MOST_ALIKE:
                said = f"{count - _MOST_ALIKE:,} more like this, up to here"
                self._add(code, said, self._position.of_line(self._position.last_line))

    def see_unparsed(
        self, parse: Callable[[], etree._Element | None], skeletons: Collection[str]
    ) -> None:
        """Remember how to parse a block, if the official schema has to see it."""
        self._parse, self._skeletons = parse, skeletons

    def see_tree(self, root: etree._Element) -> None:
        """Judge a block by the official schema."""
        self._position.has_tree = True
        if self._refusals:
            self._refusals.see(root)

    def see_document(self, document: Document) -> Iterator[Batch]:
        """Show all entries to the checks on their way."""
        self.head, self.is_index = document.head, document.is_index
        self._is_reading = True
        # A feed has the same pages as the sitemaps beside it, and an index has no pages.
        kind = "index " if self.is_index else "feed " if self.is_feed else ""
        self._listed.begin(self.source or "", kind)
        for check in self._checks:
            check.begin(self)
        try:
            for batch in document.batches:
                self._examine(batch)
                yield batch
        finally:
            for check in self._checks:
                check.end(self)
            self._tell_refusals()
            self._tell_how_often()
            self._flush()
            self._is_reading = False

    def _examine(self, batch: Batch) -> None:
        self._position.locs = batch.locs()
        self._listed.add(batch)
        if self.is_index:
            self._see_children()
        for check in self._checks:
            check.batch(batch, self)
        if self._refusals:
            part = self._position.part
            if self._parse and isinstance(part, Block):
                self._judge_unparsed(batch, part, self._parse)
            self._tell_refusals()
        self._flush()
        self.entries += len(batch)

    def _see_children(self) -> None:
        """Remember where an index lists its sitemaps: what is wrong with one is told there."""
        from sitemapx.convert.rules.check import Child

        for at, loc in enumerate(self._position.locs):
            child = Child(self.source, self.place_of(at), loc)
            self._children.setdefault(urls.canonical(loc), child)

    # ---- what is found

    def found(self, code: str, message: str, *, at: int | None = None, text: str = "") -> None:
        """
        Tell what is wrong.

        Args:
            at: In which entry of the batch.
            text: The text that is wrong, which is looked for in the entry.

        """
        if at is None:
            self.found_at(Place(), code, message)
        else:
            loc = self._position.locs[at] or None
            self.found_at(self.place_of(at, text), code, message, loc=loc)

    def found_at(self, place: Place, code: str, message: str, *, loc: str | None = None) -> None:
        """Tell what is wrong at a place that is known."""
        self._add(code, message, place, loc=loc)

    def place_of(self, at: int, text: str = "") -> Place:
        """Find where an entry of the batch has this text, or else its URL."""
        return self._position.of_entry(at, text)

    def places_of(self, numbers: Sequence[int]) -> list[Place]:
        """Find where these entries of the batch begin, in order."""
        return self._position.of_entries(numbers)

    def problem(
        self,
        code: str,
        message: str,
        *,
        line: int | None = None,
        loc: str | None = None,
        element: etree._Element | None = None,
    ) -> None:
        """Take what the reader tells."""
        if code == "empty" and self._has_items:
            return  # what is wrong with the items is told
        if code == "unread-element":
            return  # that it is lost concerns who converts it
        is_refused = bool(self._refusals) and code == "encoding" and _READABLE not in message
        is_refused |= (
            element is not None
            and self._refusals is not None
            and self._refusals.take(element, code)
        )
        if self._alike[code] >= _MOST_ALIKE:
            self._alike[code] += 1
            return
        position = self._position
        exact = position.of_element(element) if position.has_tree else None
        place = exact or position.of_line(line)
        said = message
        if message.endswith(_ENDINGS):
            said = _DONE.sub("", message)
        said = said.replace("; left out: ", ": ")
        self._add(code, said, place, loc=loc, schema=is_refused)
        if not self._is_reading:
            self._flush()

    def resolved(self, url: str, code: str, **known: Any) -> str:
        """Tell of an address that only --source-url makes absolute."""
        found = super().resolved(url, code, **known)
        if found != url:
            self.problem(code, f"not a full URL: {url!r}", **known)
        return found

    def _add(self, code: str, message: str, place: Place, **known: Any) -> None:
        self._alike[code] += 1
        if self._alike[code] > _MOST_ALIKE:
            return
        if code == "namespace":
            place = self._position.of_namespace(message) or place
        line, column = place
        finding = self._make(
            code, message, source=self.source, line=line, column=column, file=self, **known
        )
        if finding:
            self._findings.append(finding)

    def _flush(self) -> None:
        findings, self._findings = self._findings, []
        for one in sorted(findings, key=lambda one: (one.line or 0, one.column or 0)):
            self._report(one)

    # ---- the official schema

    def _judge_unparsed(
        self, batch: Batch, block: Block, parse: Callable[[], etree._Element | None]
    ) -> None:
        """Judge a block that was read without parsing it, unless all in it is surely right."""
        refusals = self._refusals
        if refusals is None:
            return
        is_right = refusals.accept(self._skeletons) and are_values_right(
            batch, block.data, self._listed.versions, are_regular=not self._skeletons
        )
        if not is_right and (root := parse()) is not None:
            self.see_tree(root)
            refusals.learn(self._skeletons)

    def _tell_refusals(self) -> None:
        """Tell what the schema refuses and nobody told; of URLs, it says less than we do."""
        if not self._refusals:
            return
        told = {(one.code, one.loc): n for n, one in enumerate(self._findings)}
        for refusal in self._refusals.rest():
            element = refusal.element
            name = local_name(element)
            loc = urls.clean(element.text or "") if name == "loc" else refusal.loc
            loc = clipped(loc or "", MAX_LOC) or None  # as findings have it
            codes = _SAYS_MORE.get(name, ())
            at = next((told[one, loc] for one in codes if (one, loc) in told), None)
            if at is not None:
                self._findings[at] = replace(self._findings[at], schema=True)
                continue
            place = self._position.of_element(element)
            known = {"loc": refusal.loc, "schema": refusal.is_sure}
            self._add(refusal.code, refusal.message, place or Place(), **known)


_STRICT = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
)


def _root_of(head: bytes) -> etree._Element | None:
    """Parse what stands before the first item; its start tag as a reader repairs it, if need be."""
    tag = find_root(head)
    sound = sound_tag(tag[0]) + head[tag.end() :] if tag else head
    for data in (head, declare(head, head)[0], declare(sound, sound)[0]):
        with suppress(etree.XMLSyntaxError):
            return etree.fromstring(data, _STRICT)
    return None


class _Watched:
    """A stream that a file looks at."""

    def __init__(self, stream: Readable, file: CheckedFile) -> None:
        self._stream = stream
        self._file = file

    def read(self, size: int = -1, /) -> bytes:
        """Read, and show what was read."""
        data = self._stream.read(size)
        self._file.see_bytes(data)
        return data
