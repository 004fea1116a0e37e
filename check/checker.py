"""
Check sitemaps, feeds and lists; what `sitemapx check` does.

    sources ─► reader ─► entries ─► checks ─► findings
                  └── problems, bytes, blocks, trees ──┘

One pass, in little memory: see `FileObserver` for what is looked at, `rules` for what is found.
"""

import os
from collections.abc import Callable, Collection, Iterable
from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, Unpack

from sitemapx.check.api import Check, CheckContext
from sitemapx.check.file.checkedfile import CheckedFile
from sitemapx.check.file.context import FileContext
from sitemapx.check.file.observer import FileObserver
from sitemapx.check.file.validation import FileValidator
from sitemapx.check.findings import Details, Finding
from sitemapx.check.profiles import severities
from sitemapx.check.result import CheckResult
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.rules.registry import CHECKS, RULES
from sitemapx.check.statistics import Statistics
from sitemapx.check.urlindex import UrlIndex
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import Source
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import several
from sitemapx.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from sitemapx.check.completeness.required import Required
    from sitemapx.check.completeness.site import BuiltSite
    from sitemapx.check.live.settings import Live

__all__ = ["Checking", "check"]


def check(
    sources: Iterable[Source],
    *,
    opener: Opener | None = None,
    codes: Collection[str] | None = None,
    engine: str | None = None,
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
        opener: Options for reading the sources, such as a format that is not to be detected.
        codes: Enabled codes, keys of `RULES`; None for all. See `codes_of`.
        engine: Search engine whose documented rules are applied, a key of `PROFILES`; None for
            those of the protocol.
        robots: The robots.txt files of the sites; None to fetch those of fetched sitemaps.
        live: Settings for checking the published pages; None to fetch no pages.
        root: The built site to compare the sitemaps with; None for no comparison.
        require: URLs that the sitemaps must contain; closed at the end.
        with_survey: Whether to collect statistics of the files.
        report: Called with each finding; None to collect them in the result, which needs memory for
            all of them.
        progress: Called repeatedly with the number of entries and of (compressed) bytes read so
            far.
        on_file: Called with the name of each file before it is read, including listed sitemaps.
        hides: Function that returns whether a finding is neither counted nor reported.
        marks_fixable: Whether to try fixes, to mark the findings that `fix_file` can fix.

    Returns:
        What was read, the number of findings, and the findings.

    Raises:
        OutputError: If there is no space on disk for temporary data, or `live.state` cannot be
            written.
        InputError: If `live.state` is a file of another kind.
        UsageError: If an option of `opener` does not fit a source, or `engine` or a code is
            unknown.

    Examples:
        >>> import io
        >>> urls = b"https://example.com/" + bytes([10]) + b"page 2"
        >>> check([io.BytesIO(urls)], report=lambda one: print(one.line, one.code)).entries
        2 not-a-url
        1

    """
    findings: list[Finding] = []
    for code in several("codes", codes or ()):
        if code not in RULES:
            raise UnknownNameError("rule", code, RULES, "see `sitemapx.check.RULES`")
    found = Checking(
        RULES if codes is None else codes,
        engine=engine,
        robots=robots,
        with_survey=with_survey,
        live=live,
        root=root,
        require=require,
        report=report or findings.append,
        on_file=on_file,
        hides=hides,
        marks_fixable=marks_fixable,
    )
    size = 0

    def on_read(count: int) -> None:
        nonlocal size
        size += count
        progress(found.checked.entries, size)

    with closing(found) as checking:
        for source in several("sources", sources):
            _read(source, checking, checking.opener(opener or Opener()), on_read)
        checking.finish()
    checking.checked.findings = findings
    return checking.checked


def _read(
    source: Source, checking: "Checking", opener: Opener, on_read: Callable[[int], None]
) -> None:
    """Read a source to its end; if it cannot be read, that does not keep the others from it."""
    is_path = isinstance(source, str | os.PathLike)
    name = str(source) if is_path else str(getattr(source, "name", "<stream>"))
    name = urls.without_user(name)
    checking.checked.names.append(name)
    try:
        with closing(opener.open([source], checking.report, on_read)) as inputs:
            for batch in chain.from_iterable(one.batches for one in inputs):
                checking.checked.entries += len(batch)
                on_read(0)
    except InputError as error:
        if error.code == "unreadable":
            checking.checked.unread.append(name)
        name = error.source or name
        checking.found(error.code, error.message, source=name, line=error.line)


class Checking:
    """
    A check of whatever an opener opens, while somebody else reads it.

    Attributes:
        checked: What it has come to so far.

    """

    def __init__(
        self,
        codes: Collection[str] | None = None,
        *,
        engine: str | None = None,
        robots: RobotsTexts | None = None,
        with_survey: bool = False,
        live: "Live | None" = None,
        root: "BuiltSite | None" = None,
        require: "Required | None" = None,
        report: Callable[[Finding], object] = lambda finding: None,
        on_file: Callable[[str], object] = lambda name: None,
        hides: Callable[[Finding], bool] = lambda finding: False,
        marks_fixable: bool = True,
    ) -> None:
        """Take what to look for; see `check`."""
        self.checked = CheckResult(engine)
        self._opener = Opener()
        self._on_file = on_file
        self._hides = hides
        self._severities = severities(engine)
        self._codes = {code for code in self._severities if codes is None or code in codes}
        self._fixed = {code: RULES[code] for code in self._codes} if marks_fixable else {}
        self._tell = report
        wanted: list[type[Check]] = [
            make for make in CHECKS if not self._codes.isdisjoint({*make.rules, *make.more})
        ]
        remembers = with_survey or bool(live or root) or any(one.asks_listed for one in wanted)
        self._known = CheckContext(
            UrlIndex(remembers=remembers), robots or RobotsTexts(), self._codes, {}
        )
        self._checks = [make(self._known) for make in wanted]
        if with_survey:
            self.checked.survey = Statistics(self._known)
            self._checks.append(self.checked.survey)
        if live and self._looks_for("live"):
            from sitemapx.check.live.pages import LivePages, LiveSummary

            self.checked.live = LiveSummary()
            self._checks.append(LivePages(self._known, live, self.checked.live))
        if root and self._looks_for("root"):
            from sitemapx.check.completeness.pages import BuiltPages, BuiltSummary

            self.checked.root = BuiltSummary(root.folder)
            self._checks.append(BuiltPages(self._known, root, self.checked.root))
        if require:
            from sitemapx.check.completeness.required import RequiredUrls

            self._checks.append(RequiredUrls(self._known, require))

    def _looks_for(self, option: str) -> bool:
        """Return whether any code is looked for that needs this option."""
        return any(RULES[code].requires == option for code in self._codes)

    def opener(self, opener: Opener) -> Opener:
        """Let what this opener opens be checked; `report` is what it is to report to."""
        self._opener = opener
        return opener._replace(contexts=self._context)

    def finish(self) -> None:
        """Report what is wrong with all files together, now that all are read."""
        for check in self._checks:
            check.finish(self.found)

    def close(self) -> None:
        """Release everything held."""
        for check in self._checks:
            check.close()
        self._known.listed.close()

    def _context(
        self,
        report: Callable[[Problem], None],
        *,
        source: str | None = None,
        url: str | None = None,
        wanted: Collection[str] | None = None,
    ) -> FileContext:
        self.checked.files += 1
        self._on_file(source or "")
        url = url or self._opener.published_at(source or "-")
        file = CheckedFile(report, self._make, source=source, url=url, fixed=self._fixed)
        validator = FileValidator(file, self._known.listed)
        context = FileContext(report, file, validator, wanted=wanted)
        observer = FileObserver(file, validator, context, self._checks, self._known)
        context.observer = observer
        return context

    # ---- what is found

    def _make(
        self,
        code: str,
        message: str,
        *,
        schema: bool = False,
        file: CheckedFile | None = None,
        is_fixable: bool = True,
        **details: Unpack[Details],
    ) -> Finding | None:
        """Make a finding; None if it is none, or not looked for."""
        rule = RULES.get(code)
        if rule is None:  # what only converting has to tell
            return None
        is_refused = schema or (rule.schema and file is not None and file.has_schema)
        if code not in self._codes:
            return None
        if file is not None and file.format is not None:
            self.checked.sources[str(file.source)] = file.format, file.url
        has_fix = bool(file and is_fixable and file.has_fix(code))
        if has_fix and file and not file.is_repairable:
            self.checked.damaged.add(str(file.source))
            has_fix = False
        return Finding(
            code=code,
            severity=self._severities[code],
            message=message,
            why=rule.why,
            rule=rule.source,
            fix=rule.fix,
            schema=is_refused,
            fixable=has_fix,
            **details,
        )

    def found(self, code: str, message: str, **details: Unpack[Details]) -> None:
        """Take a finding that is about no single file."""
        if finding := self._make(code, message, **details):
            self.report(finding)

    def report(self, problem: Problem) -> None:
        """Count and tell; a problem that is none of a file comes from following an index."""
        if not isinstance(problem, Finding):
            child = self._known.children.get(uris.canonical(problem.loc or ""))
            line, column = child.position if child else (problem.line, None)
            where = Details(source=problem.source, line=line, column=column, loc=problem.loc)
            self.found(problem.code, problem.message, **where)
            return
        if self._hides(problem):
            return
        self.checked.count(problem)
        self._tell(problem)
