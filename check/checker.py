"""
Checks sitemaps, feeds and URL lists: the implementation of `sitemapx check`.

    source ─► reader ─► batches ─► results ─► merging ─► findings
                 └── problems, parts, trees ──┘

A file is inspected by the process that reads it (`file.reading`), which may be a worker. The main
process merges the results in order (`file.merging`), in one pass and with little memory.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sitemapx.check.api import Check, CheckContext
from sitemapx.check.file.filefindings import EnabledRules, FileFindings
from sitemapx.check.file.merging import FileMerger
from sitemapx.check.file.reading import (
    FileBatch,
    FileDamaged,
    FileEnd,
    FileMessage,
    FileOpened,
    FileReading,
    FileStart,
    InspectionSettings,
)
from sitemapx.check.findings import SEVERITIES, Finding, Position, RawFinding
from sitemapx.check.result import CheckResult, StatisticsCheck
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.rules.registry import CHECKS, RULES
from sitemapx.check.selection import PROFILES, severities
from sitemapx.check.urlindex import UrlIndex
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import PROBLEMS, Problem, ProblemHandler, Severity
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import Source, local_path
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.values import clock, uris, urls
from sitemapx.convert.values.words import require_list
from sitemapx.errors import InputError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from sitemapx.check.live.settings import Live
    from sitemapx.check.rules.builtsite import BuiltSite
    from sitemapx.check.rules.required import Required


def check(
    sources: Iterable[Source],
    *,
    opener: Opener | None = None,
    codes: Collection[str] | None = None,
    engine: str | None = None,
    severity: Mapping[str, Severity] = MappingProxyType({}),
    robots: RobotsTexts | None = None,
    live: "Live | None" = None,
    root: "BuiltSite | None" = None,
    require: "Required | None" = None,
    with_survey: bool = False,
    report: Callable[[Finding], object] | None = None,
    progress: Callable[[int, int], None] = lambda entries, size: None,
    on_file: Callable[[str], object] = lambda name: None,
    hides: Callable[[Finding], bool] = lambda finding: False,
    marks_fixable: bool = True,
) -> CheckResult:
    """
    Check sources of any format, each on its own and all of them together.

    A source that cannot be read is reported as a finding and does not stop the check.

    Args:
        sources: Paths, http(s) URLs, host names, `-` for standard input, or binary streams.
        opener: Options for reading the sources, such as a format to use instead of detecting it.
        codes: Enabled codes, keys of `RULES`; None for all. See `codes_of`.
        engine: Search engine whose documented rules are applied, a key of `PROFILES`; None for the
            rules of the protocol.
        severity: Severities ("error", "warning" or "note") that override the defaults, by code.
        robots: The robots.txt files of the sites; None to fetch those of the hosts from which
            sitemaps or pages are fetched.
        live: Settings for checking the published pages; None to fetch no pages.
        root: The built site to compare the sitemaps with; None for no comparison.
        require: URLs that the sitemaps must contain; closed at the end.
        with_survey: Whether to collect statistics of the files.
        report: Called with each finding; None to collect them in the result, which needs memory for
            all of them.
        progress: Called repeatedly with the number of entries and of (compressed) bytes read so
            far.
        on_file: Called with the name of each file before its findings, including listed sitemaps.
        hides: Function that returns whether a finding is neither counted nor reported.
        marks_fixable: Whether to try fixes, to mark the findings that `fix_file` can fix.

    Returns:
        Summary of what was read, the number of findings, and, without `report`, the findings.

    Raises:
        OutputError: If there is no space on disk for temporary data, or `live.state` cannot be
            written.
        InputError: If `live.state` is another kind of file.
        UsageError: If an argument is invalid, such as an unknown code.

    Examples:
        >>> import io
        >>> urls = io.BytesIO(b"https://example.com/" + bytes([10]) + b"page 2")
        >>> result = check([urls], report=lambda finding: print(finding.line, finding.code))
        2 not-a-url
        >>> result.entries
        1

    """
    findings: list[Finding] = []
    for code in (*require_list("codes", codes or ()), *severity):
        if not {"*", "?", "["}.isdisjoint(code):
            raise UsageError(f"{code!r} is a pattern: pass codes_of([{code!r}])")
        if code not in RULES:
            raise UnknownNameError("rule", code, RULES, "see `sitemapx.check.RULES`")
    for level in severity.values():
        if level not in SEVERITIES:
            raise UnknownNameError("severity", level, SEVERITIES)
    size = 0

    def on_read(count: int) -> None:
        nonlocal size
        size += count
        progress(checking.checked.entries, size)

    checking = CheckRun(
        RULES if codes is None else codes,
        engine=engine,
        severity=severity,
        robots=robots,
        with_survey=with_survey,
        live=live,
        root=root,
        require=require,
        report=report or findings.append,
        on_file=on_file,
        hides=hides,
        marks_fixable=marks_fixable,
        allows_private=bool(opener and opener.fetcher and opener.fetcher.allow_private),
    )
    with closing(checking):
        checking.read(sources, opener or Opener(), on_read)
        checking.finish()
    checking.checked.findings = findings
    return checking.checked


def checking_for(fetcher: Fetcher, report: Callable[[Finding], object]) -> "CheckRun":
    """
    Return the check that `submit` runs on the sitemaps it is about to submit.

    The check finds errors of a `sitemapx check` without options, except those that `submit` checks
    itself or that do not matter to it: URLs blocked by robots.txt (see `find_objections`), markup
    of feeds that search engines ignore and, if the fetcher may request private addresses, URLs on
    private hosts. It also finds values that a reader repairs or skips.
    """
    from sitemapx.check.rules.robots import Robots

    errors = {code for code, rule in RULES.items() if rule.severity == "error"}
    irrelevant = Robots.rules.keys() | {"feed-incomplete", "feed-date"}
    if fetcher.allow_private:
        irrelevant.add("loc-local")
    codes = (errors | PROBLEMS.keys()) - irrelevant
    robots = RobotsTexts(fetcher=fetcher)
    return CheckRun(codes, robots=robots, report=report, validates_feeds=False)


class _FileReadings(NamedTuple):
    """Creates the context of each file; picklable, for worker processes that are not forks."""

    settings: InspectionSettings
    mappings: Sequence[UrlMap]

    def __call__(
        self,
        report: ProblemHandler,
        *,
        source: str | None = None,
        url: str | None = None,
        wanted: Collection[str] | None = None,
    ) -> FileReading:
        url = url or self._published_at(local_path(source or "-"))
        return FileReading(report, self.settings, source=source, url=url, wanted=wanted)

    def _published_at(self, path: str | None) -> str | None:
        """Return the URL of an existing file according to the mappings; None if none applies."""
        if not (path and os.path.exists(path)):
            return None
        return next((url for mapping in self.mappings if (url := mapping.url_of(path))), None)


class CheckRun:
    """
    A run of `check`: checks everything that its opener opens.

    Args:
        validates_feeds: Whether to validate the markup of feeds.
        allows_private: See `CheckContext`.

    For other arguments, see `check`.

    Attributes:
        checked: The result so far.

    """

    def __init__(
        self,
        codes: Collection[str] | None = None,
        *,
        engine: str | None = None,
        severity: Mapping[str, Severity] = MappingProxyType({}),
        robots: RobotsTexts | None = None,
        with_survey: bool = False,
        live: "Live | None" = None,
        root: "BuiltSite | None" = None,
        require: "Required | None" = None,
        report: Callable[[Finding], object] = lambda finding: None,
        on_file: Callable[[str], object] = lambda name: None,
        hides: Callable[[Finding], bool] = lambda finding: False,
        marks_fixable: bool = True,
        validates_feeds: bool = True,
        allows_private: bool = False,
    ) -> None:
        self.checked = CheckResult(engine)
        self._on_file = on_file
        self._hides = hides
        self._handler = report
        self._files: dict[str, FileOpened] = {}
        self._merger: FileMerger | None = None
        enabled: dict[str, Severity] = {
            code: level
            for code, level in severities(engine, severity).items()
            if codes is None or code in codes
        }
        self._enabled = EnabledRules(RULES, enabled, marks_fixable)
        wanted = [
            kind
            for kind in CHECKS
            if not enabled.keys().isdisjoint({*kind.rules, *kind.other_codes})
        ]
        is_needed = with_survey or bool(live or root) or any(kind.needs_index for kind in wanted)
        self._context = context = CheckContext(
            UrlIndex(is_needed=is_needed),
            robots or RobotsTexts(),
            enabled.keys(),
            {},
            clock.now(),
            allows_private,
        )
        checks: list[Check] = [kind(context) for kind in wanted]
        if with_survey:
            survey = StatisticsCheck(context)
            self.checked.survey = survey.statistics
            checks.append(survey)
        needed = {RULES[code].requires for code in enabled}
        if live and "live" in needed:
            from sitemapx.check.live.pages import LivePages, LiveSummary

            self.checked.live = LiveSummary()
            checks.append(LivePages(context, live, self.checked.live))
        if root and "root" in needed:
            from sitemapx.check.rules.builtsite import BuiltPages, BuiltSummary

            self.checked.root = BuiltSummary(root.folder)
            checks.append(BuiltPages(context, root, self.checked.root))
        if require:
            from sitemapx.check.rules.required import RequiredUrls

            checks.append(RequiredUrls(context, require))
        self._checks = checks
        validates_feeds = validates_feeds and not (engine and PROFILES[engine].ignores_markup)
        self._settings = InspectionSettings(self._enabled, checks, is_needed, validates_feeds)

    def opener(self, opener: Opener) -> Opener:
        """Return a copy of an opener that checks each file; it must report to `self.report`."""
        return opener._replace(contexts=_FileReadings(self._settings, opener.mappings))

    def read(
        self, sources: Iterable[Source], opener: Opener, on_read: Callable[[int], None]
    ) -> None:
        """
        Read and check sources; report unreadable sources and continue.

        `on_read` is called with the number of bytes just read; 0 after a batch or while waiting.
        """
        opened = self.opener(opener).open_each(
            require_list("sources", sources), self.report, on_read, encode=_without_entries
        )
        with closing(opened):
            for source, parts in opened:
                is_path = isinstance(source, str | os.PathLike)
                name = str(source) if is_path else str(getattr(source, "name", "<stream>"))
                name = urls.without_user(name)
                self.checked.names.append(name)
                try:
                    with closing(parts):
                        for batch in (batch for part in parts for batch in part.batches):
                            self.checked.entries += len(batch)
                            on_read(0)
                except InputError as error:
                    if error.code == "unreadable":
                        self.checked.unread.append(name)
                    self.report_error(error, name)

    def finish(self) -> None:
        """Report the findings that are known only after the last file."""
        for check in self._checks:
            for raw in check.end_run() or ():
                self._report_raw(raw)

    def close(self) -> None:
        for check in self._checks:
            check.close()
        self._context.listed.close()

    # ---- findings

    def report_error(self, error: InputError, source: str) -> None:
        position, source = Position(error.line), error.source or source
        self._report_raw(RawFinding(error.code, error.message, position, source=source))

    def report(self, problem: Problem) -> None:
        """Handle a message or finding of a file, or a problem found while following an index."""
        if isinstance(problem, FileMessage):
            self._merge(problem)
        elif isinstance(problem, Finding):
            if self._merger:
                self._merger.report_kept()
            self._report_in_file(problem)
        else:
            child = self._context.children.get(uris.canonicalize(problem.loc or ""))
            position = child.position if child else Position(problem.line)
            self._report_raw(
                RawFinding(problem.code, problem.message, position, problem.loc, problem.source)
            )

    def _merge(self, message: FileMessage) -> None:
        event = message.event
        if isinstance(event, FileOpened):
            if not event.format_name:
                self.checked.files += 1
                self._on_file(message.source or "")
            self._files[str(message.source)] = event
            if event.disabled:
                self.checked.disabled[str(message.source)] = event.disabled
        elif isinstance(event, FileDamaged):
            self.checked.damaged.add(str(message.source))
        elif isinstance(event, FileStart):
            file = event.file
            findings = FileFindings(
                self._enabled,
                self._report_in_file,
                source=file.source,
                url=file.url,
                format=file.format,
                trial=event.trial,
                on_damage=lambda: self.checked.damaged.add(str(file.source)),
            )
            self._merger = FileMerger(event, self._checks, self._context, findings)
        elif self._merger and isinstance(event, FileBatch):
            self._merger.merge_batch(event)
        elif self._merger and isinstance(event, FileEnd):
            self._merger.end_file(event)

    def _report_raw(self, raw: RawFinding) -> None:
        """Report a finding without buffering, unless its rule is disabled."""
        if finding := self._enabled.finding(raw, raw.source, fails_schema=False, is_fixable=False):
            self._report_finding(finding)

    def _report_in_file(self, finding: Finding) -> None:
        """Report a finding in a file, and record the format and URL of the file if known."""
        source = str(finding.source)
        file = self._files.get(source)
        if file and file.format_name:
            self.checked.sources[source] = by_name(file.format_name), file.url
        self._report_finding(finding)

    def _report_finding(self, finding: Finding) -> None:
        if finding.code in self.checked.disabled.get(finding.source or "", ()):
            self.checked.suppressed += finding.times
        elif not self._hides(finding):
            self.checked.count_finding(finding)
            self._handler(finding)


class _CountedBatch(Batch):
    """A placeholder for a batch: it has the same length, but no entries."""

    def __init__(self, size: int) -> None:
        super().__init__(())
        self._size = size

    def __len__(self) -> int:
        return self._size


def _without_entries(batches: Iterable[Batch], report: ProblemHandler) -> Iterator[Batch]:
    """Replace batches with their lengths, so that workers need not send the entries back."""
    return (_CountedBatch(len(batch)) for batch in batches)
