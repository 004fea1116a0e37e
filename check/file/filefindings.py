"""Findings of a file, buffered until they are reported in the order of the file."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from sitemapx.check.edits import ESCAPE_CODES, is_fixable_code, is_fixable_file, would_fix
from sitemapx.check.file.trial import FixTrial
from sitemapx.check.findings import Finding, Position, RawFinding, Rule, message_of_sum
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.problems import Severity, reported_loc
from sitemapx.convert.xml.parsers import XmlElement

#: Maximum number of findings per code and part that are reported individually; more are counted.
_MOST_ALIKE = 5000
#: Number of buffered findings beyond which they are reported at the start of the next part.
_MOST_KEPT = 5000
_RESOLVE_CODES = frozenset({"asset-url", "hreflang-url"})


@dataclass(frozen=True)
class EnabledRules:
    """
    The rules that are enabled in a run.

    Attributes:
        rules: All rules by code, including those that are not enabled.
        severities: Severity of each enabled rule.
        marks_fixable: Whether to try fixes, to mark the findings that `fix_file` can fix.

    """

    rules: Mapping[str, Rule]
    severities: Mapping[str, Severity]
    marks_fixable: bool

    def new_trial(
        self, source: str | None, url: str | None, format: Format | None
    ) -> FixTrial | None:
        """Return an object that tries the fixes of a file; None if the file cannot be fixed."""
        if not (source and format and is_fixable_file(source, format)):
            return None
        codes = self.severities if self.marks_fixable else ()
        fixed = [code for code in codes if is_fixable_code(code, self.rules[code], format, url)]
        return FixTrial(source, format, url, fixed)

    def finding(
        self, raw: RawFinding, source: str | None, *, fails_schema: bool, is_fixable: bool
    ) -> Finding | None:
        """Return a finding with the description of its rule; None if the rule is not enabled."""
        code = raw.code
        if code not in self.severities:
            return None
        rule = self.rules[code]
        return Finding(
            code,
            self.severities[code],
            raw.message,
            source,
            raw.position.line,
            raw.loc,
            raw.total,
            column=raw.position.column,
            why=rule.why,
            rule=rule.source,
            fix=rule.fix,
            schema=fails_schema,
            fixable=is_fixable,
        )


class FileFindings:
    """
    Buffers the findings of a file, part by part; a part is a block of XML or a chunk of lines.

    Beyond a limit per code and part, findings are only counted.

    Args:
        format: Format of the file; None if it is not known yet.
        trial: Tries the fixes of the file; None if the file cannot be fixed.
        on_damage: Called if an error keeps the file from being fixed.

    Attributes:
        kept: The buffered findings, which have not been reported.

    """

    def __init__(
        self,
        enabled: EnabledRules,
        report: Callable[[Finding], object],
        *,
        source: str | None,
        url: str | None,
        format: Format | None,
        trial: FixTrial | None,
        on_damage: Callable[[], object],
    ) -> None:
        self._trial, self._on_damage = trial, on_damage
        self._enabled = enabled
        self._report = report
        self._source, self._url, self._format = source, url, format
        self.kept: list[Finding] = []
        self._admitted: Counter[str] = Counter()
        self._more: Counter[str] = Counter()
        self._schema_codes: set[str] = set()
        self._counted: set[tuple[str, str | None]] = set()

    @property
    def is_full(self) -> bool:
        """Whether the buffer is so large that it should be flushed."""
        return len(self.kept) > _MOST_KEPT

    def is_fixable(self, code: str, element: XmlElement | None) -> bool:
        """Return False only if the fix for a code certainly leaves the element unchanged."""
        if element is None or not self._trial:
            return True
        rule = self._enabled.rules.get(code)
        return rule is None or not rule.is_fixable or would_fix(code, element, self._url)

    def admit(
        self, code: str, loc: str | None, *, fails_schema: bool = False, count: int = 1
    ) -> bool:
        """
        Count a finding towards the limit of its code; return whether the finding may be buffered.

        If not, `count`, the number of occurrences that it stands for, is added to the summary.
        """
        if self._admitted[code] < _MOST_ALIKE:
            self._admitted[code] += 1
            return True
        self._more[code] += count
        self._counted.add((code, reported_loc(loc)))
        if fails_schema:
            self._schema_codes.add(code)
        return False

    def keep(self, raw: RawFinding) -> None:
        """Buffer a finding if its rule is enabled."""
        if raw.code not in self._enabled.severities:  # disabled, or for conversions only
            return
        rule = self._enabled.rules[raw.code]
        is_fixable = raw.is_fixable and bool(self._trial and raw.code in self._trial.codes)
        if is_fixable and self._trial and not self._trial.is_possible:
            self._on_damage()
            is_fixable = False
        has_schema = self._format is not None and self._format.has_schema
        fails_schema = raw.fails_schema or (rule.schema and has_schema)
        source = raw.source or self._source
        finding = self._enabled.finding(
            raw, source, fails_schema=fails_schema, is_fixable=is_fixable
        )
        if finding:
            self.kept.append(finding)

    def add_finding(self, raw: RawFinding) -> None:
        """Buffer the finding of a check, or count it if its code has reached the limit."""
        if self.admit(raw.code, raw.loc):
            if raw.code in ESCAPE_CODES:
                is_fixable = bool(raw.loc and self._trial and self._trial.escapes(raw.loc))
                raw = raw._replace(is_fixable=is_fixable)
            elif raw.code in _RESOLVE_CODES:  # the reader has resolved all resolvable URLs
                raw = raw._replace(is_fixable=False)
            self.keep(raw)

    def indexes_by_key(self, codes: Collection[str]) -> dict[tuple[str, str | None], list[int]]:
        """Map code and URL to the indexes in `kept`; [] if the findings were only counted."""
        found: dict[tuple[str, str | None], list[int]] = {
            key: [] for key in self._counted if key[0] in codes
        }
        for at, finding in enumerate(self.kept):
            if finding.code in codes:
                found.setdefault((finding.code, finding.loc), []).append(at)
        return found

    def mark_schema_error(self, code: str, at: int | None) -> None:
        """
        Mark finding `kept[at]` as failing schema validation.

        With `at=None`, mark the summary of the findings of this code that were only counted.
        """
        if at is None:
            self._schema_codes.add(code)
        else:
            self.kept[at] = replace(self.kept[at], schema=True)

    @property
    def has_sums(self) -> bool:
        """Whether any findings of the current part were only counted."""
        return bool(self._more)

    def end_part(self, position: Position) -> None:
        """Summarize the findings that were only counted, by code; begin a new part."""
        for code, count in self._more.items():
            message = f"{message_of_sum(count)}, up to here"
            fails_schema = code in self._schema_codes
            self.keep(RawFinding(code, message, position, total=count, fails_schema=fails_schema))
        self._admitted.clear()
        self._more.clear()
        self._schema_codes.clear()
        self._counted.clear()

    def keep_all(self, findings: Iterable[Finding]) -> None:
        """Buffer findings to which the limits have already been applied."""
        self.kept += findings

    def take_kept(self) -> list[Finding]:
        """Remove and return the buffered findings."""
        kept, self.kept = self.kept, []
        return kept

    def flush(self) -> None:
        """Report the buffered findings, by line and column, and empty the buffer."""
        for finding in sorted(
            self.take_kept(), key=lambda finding: (finding.line or 0, finding.column or 0)
        ):
            self._report(finding)
