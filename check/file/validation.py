"""The validation of a file against the official schema of its format."""

from collections.abc import Callable

from sitemapx.check.file.checkedfile import CheckedFile
from sitemapx.check.positions import Position
from sitemapx.check.schema.fast import are_values_right
from sitemapx.check.schema.validator import Refusals
from sitemapx.check.urlindex import UrlIndex
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import reported_loc
from sitemapx.convert.values import urls
from sitemapx.convert.xml.cutting.cutter import Block
from sitemapx.convert.xml.elements import local_name
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["FileValidator", "Parse"]

#: Parses a block; None if it is not well-formed.
Parse = Callable[[], XmlElement | None]

#: What says more of elements than that the schema refuses them.
_SAYS_MORE = {
    "loc": ("loc-character", "loc-escape", "loc-host", "loc-fragment", "loc-too-long"),
    "restriction": ("video-country",),
    "language": ("news-language",),
    "link": ("hreflang-code",),
}


class FileValidator:
    """Validator of the parts of a file, if its format has an official schema."""

    def __init__(self, file: CheckedFile, listed: UrlIndex) -> None:
        self._file = file
        self._listed = listed
        self._refusals: Refusals | None = None
        self._parse: Parse | None = None
        self._is_in_order = self._is_start_seen = False

    def begin(self, format: Format) -> None:
        """Take the schema of a format."""
        if format.has_schema:
            self._refusals = Refusals(format.roots[0])

    def begin_part(self) -> None:
        """Report what is left of a part, before the next."""
        self.report()
        self._parse = None

    def see(self, root: XmlElement, *, is_start: bool = False) -> None:
        """Validate a part that was parsed as it is; see `Refusals.see`."""
        self._file.position.has_tree = True
        self._is_start_seen |= is_start
        if self._refusals:
            self._refusals.see(root, is_start=is_start)

    def postpone(self, parse: Parse, *, is_in_order: bool) -> None:
        """Remember how to parse a part, if the schema has to see it."""
        self._parse, self._is_in_order = parse, is_in_order

    @property
    def has_judged(self) -> bool:
        """Whether the schema has judged the part, so that more than the part is known."""
        return self._refusals is not None and self._file.position.has_tree

    def is_valid(self, batch: Batch) -> bool:
        """Return whether the part that a batch was made of is surely valid, or was judged."""
        part = self._file.position.part
        if not (self._is_open and self._parse and isinstance(part, Block)):
            return True
        is_regular = self._is_in_order and self._is_start_seen
        return is_regular and are_values_right(batch, part.data, self._listed.versions)

    def validate(self, *, is_valid: bool) -> None:
        """Let the schema judge a part that was not parsed, unless it is valid; report the rest."""
        if not is_valid and self._is_open and self._parse and (root := self._parse()) is not None:
            self.see(root)
        self.report()

    @property
    def _is_open(self) -> bool:
        return self._refusals is not None and not self._refusals.is_full

    def refuses(self, code: str, element: XmlElement | None, *, is_readable: bool) -> bool:
        """Return whether the schema refuses what a reader reports; it is not reported again."""
        if not self._refusals:
            return False
        is_unreadable = code == "encoding" and not is_readable
        return is_unreadable | (element is not None and self._refusals.take(element, code))

    def report(self) -> None:
        """Report what the schema refuses and nobody reported; of URLs, it says less than we do."""
        if not self._refusals:
            return
        findings = self._file.findings
        reported = findings.index()
        for refusal in self._refusals.rest():
            element = refusal.element
            name = local_name(element)
            loc = urls.clean(element.text or "") if name == "loc" else refusal.loc
            loc = reported_loc(loc) or None
            code = next((one for one in _SAYS_MORE.get(name, ()) if (one, loc) in reported), None)
            if code:
                findings.refuse(code, reported[code, loc])
            elif findings.admit(refusal.code, refusal.loc, is_refused=refusal.is_sure):
                position = self._file.position.of_element(element) or Position()
                self._file.keep(
                    refusal.code,
                    refusal.message,
                    position,
                    namespace=refusal.namespace,
                    loc=refusal.loc,
                    schema=refusal.is_sure,
                )
