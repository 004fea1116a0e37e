"""
Check sitemaps, feeds and lists; what `sitemapx check` does.

    sources ─► reader ─► entries ─► checks ─► findings
                  └── problems, bytes, blocks, trees ──┘

One pass, in little memory: see `CheckedFile` for what is looked at, `rules` for what is found.
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from sitemapx.convert import urls
from sitemapx.convert.checkedfile import CheckedFile
from sitemapx.convert.findings import Finding
from sitemapx.convert.formats import Format
from sitemapx.convert.opening import Opener
from sitemapx.convert.problems import Problem, Severity
from sitemapx.convert.reading import Source
from sitemapx.convert.rules.check import Known
from sitemapx.convert.rules.engines import severities
from sitemapx.convert.rules.listed import Listed
from sitemapx.convert.rules.robotstxt import RobotsTexts
from sitemapx.convert.rules.table import CHECKS, RULES
from sitemapx.convert.survey import Survey
from sitemapx.errors import InputError, UsageError

__all__ = ["Checked", "check", "codes_of"]


@dataclass
class Checked:
    """
    What a check came to.

    Attributes:
        names: The names of the sources.
        files: How many files were read, indexes among them.
        entries: How many entries they have.
        codes: How often each code was found.
        severities: How many errors, warnings and notes were found.
        refused: The files that the official schema refuses.
        sources: Of each file that has findings: its format, and where it is published, if known.
        survey: What is in the files, if that was asked for.

    """

    names: list[str] = field(default_factory=list)
    files: int = 0
    entries: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    severities: Counter[Severity] = field(default_factory=Counter)
    refused: set[str] = field(default_factory=set)
    sources: dict[str, tuple[Format, str | None]] = field(default_factory=dict)
    survey: Survey | None = None


def check(
    sources: Iterable[Source],
    *,
    opener: Opener | None = None,
    codes: Collection[str] = RULES.keys(),
    engine: str | None = None,
    robots: RobotsTexts | None = None,
    with_survey: bool = False,
    report: Callable[[Finding], object] = lambda finding: None,
    progress: Callable[[int, int], None] = lambda entries, size: None,
) -> Checked:
    """
    Find what is wrong with sources of any format, each alone and all together.

    Args:
        sources: Paths, http(s) URLs, hosts, `-` for standard input, or binary streams.
        opener: How to open the sources, where their contents do not tell all.
        codes: What is looked for; see `codes_of`.
        engine: Whose documented rules hold, a key of `ENGINES`; None: those of the protocol.
        robots: What crawlers may fetch.
        with_survey: Whether to count what is in the files, too.
        report: Is told of what is found, as it is found.
        progress: Is told from time to time how many entries and (packed) bytes were read so far.

    Raises:
        OutputError: If there is no room on disk for what has to be remembered.

    >>> import io
    >>> urls = b"https://example.com/" + bytes([10]) + b"page 2"
    >>> check([io.BytesIO(urls)], report=lambda one: print(one.line, one.code)).entries
    2 not-a-url
    1

    """
    known = Known(Listed(), robots or RobotsTexts(), {})
    run = _Run(codes, engine, known, report, progress)
    if with_survey:
        run.add_survey()
    run.do(sources, opener or Opener())
    return run.checked


def codes_of(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> frozenset[str]:
    """
    Choose codes.

    Args:
        select: Codes or globs such as `hreflang-*`, besides those for what cannot be read; none:
            all codes.
        ignore: The same, to leave out.

    Raises:
        UsageError: If there is no such code, or none is left.

    >>> sorted(codes_of(["bad-*"], ["bad-[!d]*", "child-*"]))
    ['bad-date', 'bad-duration', 'unread', 'unreadable', 'web-page', 'zip']

    """
    chosen = _matching(select) | _ALWAYS if select else frozenset(RULES)
    left = chosen - _matching(ignore)
    if not left or (select and left <= _ALWAYS and not _matching(select) <= _ALWAYS):
        raise UsageError("nothing is left to look for: --ignore takes away all of --select")
    return left


#: What was not checked must not pass for good because somebody looks for something else.
_ALWAYS = {"unreadable", "zip", "web-page", "child-failed", "child-unread", "unread"}


def _matching(patterns: Iterable[str]) -> frozenset[str]:
    from fnmatch import filter as matching

    found: set[str] = set()
    for pattern in patterns:
        codes = matching(RULES, pattern)
        if not codes:
            raise UsageError(f"no code is called {pattern!r}; `sitemapx check --list` lists all")
        found.update(codes)
    return frozenset(found)


class _Run:
    """One check."""

    def __init__(
        self,
        codes: Collection[str],
        engine: str | None,
        known: Known,
        report: Callable[[Finding], object],
        progress: Callable[[int, int], None],
    ) -> None:
        self.checked = Checked()
        self._severities = severities(engine)
        self._codes = {code for code in codes if code in self._severities}
        self._known = known
        self._tell = report
        self._progress = progress
        self._size = 0
        wanted = (make for make in CHECKS if not self._codes.isdisjoint({*make.rules, *make.more}))
        self._checks = [make(known) for make in wanted]

    def add_survey(self) -> None:
        """Count what is in the files, too."""
        self.checked.survey = Survey(self._known)
        self._checks.append(self.checked.survey)

    def do(self, sources: Iterable[Source], opener: Opener) -> None:
        """Read all sources; one that cannot be read does not keep the others from it."""
        opener = opener._replace(contexts=self._context)
        try:
            for source in sources:
                self._read(source, opener)
            for check in self._checks:
                check.finish(self._found)
        finally:
            for check in self._checks:
                check.close()
            self._known.listed.close()

    def _read(self, source: Source, opener: Opener) -> None:
        is_path = isinstance(source, str | os.PathLike)
        name = str(source) if is_path else str(getattr(source, "name", "<stream>"))
        name = urls.without_user(name)
        self.checked.names.append(name)
        try:
            with closing(opener.open([source], self._report, self._on_read)) as inputs:
                for one in inputs:
                    for batch in one.batches:
                        self.checked.entries += len(batch)
                        self._progress(self.checked.entries, self._size)
        except InputError as error:
            self._found(error.code, error.message, source=error.source or name, line=error.line)

    def _context(self, report: Callable[[Problem], None], **known: Any) -> CheckedFile:
        self.checked.files += 1
        return CheckedFile(
            report,
            checks=self._checks,
            listed=self._known.listed,
            make=self._make,
            children=self._known.children,
            **known,
        )

    def _on_read(self, count: int) -> None:
        self._size += count
        self._progress(self.checked.entries, self._size)

    # ---- what is found

    def _make(
        self, code: str, message: str, *, schema: bool = False, **known: Any
    ) -> Finding | None:
        """Make a finding; None if it is none, or not looked for."""
        rule = RULES.get(code)
        file = known.pop("file", None)
        if rule is None:  # what only converting has to tell
            return None
        is_refused = schema or (rule.schema and file is not None and file.has_schema)
        if is_refused and file is not None:
            self.checked.refused.add(str(file.source))
        if code not in self._codes:
            return None
        if file is not None and file.form is not None:
            self.checked.sources[str(file.source)] = file.form, file.url
        return Finding(
            code=code,
            severity=self._severities[code],
            message=message,
            why=rule.why,
            rule=rule.source,
            mend=rule.mend,
            schema=is_refused,
            **known,
        )

    def _found(self, code: str, message: str, **known: Any) -> None:
        if finding := self._make(code, message, **known):
            self._report(finding)

    def _report(self, problem: Problem) -> None:
        """Count and tell; a problem that is none of a file comes from following an index."""
        if not isinstance(problem, Finding):
            child = self._known.children.get(urls.canonical(problem.loc or ""))
            source, (line, column) = problem.source, child.place if child else (problem.line, None)
            known = {"line": line, "column": column, "loc": problem.loc}
            self._found(problem.code, problem.message, source=source, **known)
            return
        if problem.schema:
            self.checked.refused.add(str(problem.source))
        self.checked.codes[problem.code] += 1
        self.checked.severities[problem.severity] += 1
        self._tell(problem)
