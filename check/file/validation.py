"""The validation of a file against the official schema of its format."""

from collections.abc import Callable, Iterable

from sitemapx.check.file.checkedfile import CheckedFile
from sitemapx.check.file.verdicts import END_OF_VERDICTS, SchemaVerdict
from sitemapx.check.positions import Position
from sitemapx.check.schema.errors import Refusal
from sitemapx.check.schema.fast import are_values_right
from sitemapx.check.schema.validator import Refusals
from sitemapx.check.urlindex import UrlIndex
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.xml.cutter import Block
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
        self._is_in_order = self._is_start_seen = self._is_ended = False

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

    def is_valid(self, batch: Batch) -> bool:
        """Return whether the part that a batch was made of is surely valid, or was judged."""
        part = self._file.position.part
        if not (self._is_open and self._parse and isinstance(part, Block)):
            return True
        is_regular = self._is_in_order and self._is_start_seen
        return is_regular and are_values_right(batch, part.data, self._listed.versions)

    def validate(self, *, is_valid: bool) -> None:
        """Validate the postponed part unless it is known to be valid, and report the errors."""
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
        """Report what the schema refuses and nobody reported."""
        if self._refusals:
            self._tell(map(self._verdict, self._refusals.rest()))

    def _verdict(self, refusal: Refusal) -> SchemaVerdict:
        position = self._file.position.of_element(refusal.element) or Position()
        is_fixable = self._file.would_fix(refusal.code, refusal.element)
        return SchemaVerdict.of(refusal, position, is_fixable=is_fixable)

    def _tell(self, verdicts: Iterable[SchemaVerdict]) -> None:
        """Report verdicts; of URLs, they say less than we do."""
        assert self._refusals
        findings = self._file.findings
        reported = findings.index()
        for one in verdicts:
            codes = [c for c in _SAYS_MORE.get(one.name, ()) if (c, one.url) in reported]
            for code in codes:
                indexes = reported[code, one.url]
                same = (
                    at
                    for at in reversed(indexes)
                    if one.may_be_reported_by(findings.kept[at].message)
                )
                at = next(same, None)
                if at is not None or not indexes:
                    findings.refuse(code, at)
                    break
            else:
                self._keep(one)
        if self._refusals.is_full and not self._is_ended:
            self._is_ended = True
            self._keep(END_OF_VERDICTS)

    def _keep(self, one: SchemaVerdict) -> None:
        if self._file.findings.admit(one.code, one.loc, is_refused=one.is_sure):
            self._file.keep(
                one.code,
                one.message,
                one.position,
                namespace=one.namespace,
                loc=one.loc,
                schema=one.is_sure,
                is_fixable=one.is_fixable,
            )
