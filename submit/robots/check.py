"""
Checks a robots.txt, and the pages of sitemaps against it, for `sitemapx robots check`.

A robots.txt applies to one origin: scheme, host and port. Protego compares only paths, so this
module skips the URLs of other origins if that of robots.txt is known.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import methodcaller

from sitemapx.convert.model.problems import Problem, ProblemHandler, ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import Source
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import pluralize, require_list
from sitemapx.submit.robots.access import AccessRule, RobotsRules, rules_of
from sitemapx.submit.robots.crawlers import KnownCrawler, named_crawlers, rules_of_crawler
from sitemapx.submit.robots.file import RobotsFile
from sitemapx.submit.robots.lint import FINDINGS, oddities


@dataclass
class RobotsResult:
    """
    Result of a check of robots.txt.

    Attributes:
        pages: Number of pages checked.
        disallowed: Number of disallowed pages by crawler, in the order of `agents`.
        findings: Number of problems by code, including those of the sitemaps.
        fails: Whether robots.txt has an error or a warning, or a sitemap has an error.

    """

    pages: int = 0
    disallowed: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    fails: bool = False


def is_failure(problem: Problem) -> bool:
    """Return whether a problem is an error, or a warning about robots.txt."""
    return problem.severity == "error" or (
        problem.severity == "warning" and problem.code in FINDINGS
    )


def check_robots(
    robots: RobotsFile,
    sitemaps: Iterable[Source] = (),
    *,
    agents: Sequence[str] = ("*",),
    url: str | None = None,
    opener: Opener | None = None,
    source: str | None = None,
    report: ProblemHandler = ignore,
    progress: Callable[[int, int], None] = lambda pages, size: None,
) -> RobotsResult:
    """
    Check a robots.txt, and find the pages in sitemaps that it disallows.

    Args:
        robots: The robots.txt.
        sitemaps: Sources of any format and size: paths, http(s) URLs, host names, `-` for standard
            input, or binary streams.
        agents: Names of the crawlers to check for; `*` is any crawler without a group of its own.
        url: Public URL of the robots.txt; URLs on other hosts are skipped. If None, all URLs are
            checked.
        opener: Options for reading the sitemaps, such as a format to use instead of detecting it.
        source: Name of the robots.txt, for messages.
        report: Called with each problem as it is found; by default, problems are only counted.
        progress: Called repeatedly with the number of pages and of (compressed) bytes read so far.

    Returns:
        The number of pages, of disallowed pages and of problems.

    Raises:
        InputError: If a sitemap cannot be read.
        UsageError: If an option of `opener` does not fit a sitemap.

    Examples:
        >>> import io
        >>> robots = RobotsFile(b"User-agent: *" + bytes([10]) + b"Disallow: /private")
        >>> pages = io.BytesIO(b"https://example.com/private/a")
        >>> check_robots(robots, [pages], agents=["Googlebot"]).disallowed
        Counter({'Googlebot': 1})

    """
    agents = list(require_list("agents", agents))
    run = _RobotsCheck(robots, agents, url, source, report)
    run.check_lines()
    sources = list(require_list("sitemaps", sitemaps))
    inputs = (opener or Opener()).open(sources, run.report, run.on_read, wanted={"loc"})
    for file in inputs if sources else ():
        for batch in file.batches:
            run.check_pages(batch.locs())
            progress(run.checked.pages, run.size)
    run.report_known_crawlers()
    run.report_other_hosts()
    return run.checked


@dataclass
class _KnownRules:
    """Rules for a known crawler, number of pages that they disallow, and the first page."""

    crawler: KnownCrawler
    rules: RobotsRules
    pages: int = 0
    first: str = ""


class _RobotsCheck:
    def __init__(
        self,
        robots: RobotsFile,
        agents: Sequence[str],
        url: str | None,
        source: str | None,
        report: ProblemHandler,
    ) -> None:
        self.checked = RobotsResult(disallowed=Counter(dict.fromkeys(agents, 0)))
        self.size = 0
        self._report = report
        self._context = Reporter(self.report, source=source, url=url, kinds=FINDINGS)
        self._robots = robots
        self._rules = rules_of(robots, agents)
        given = set(map(str.lower, agents))
        self._known = [
            _KnownRules(crawler, rules_of_crawler(robots, crawler.token))
            for crawler in named_crawlers(robots)
            if crawler.token.lower() not in given
        ]
        self._host = urls.origin(url) if url else ""
        self._other = ""
        self._other_pages = 0

    def report(self, problem: Problem) -> None:
        self.checked.findings[problem.code] += 1
        self.checked.fails = self.checked.fails or is_failure(problem)
        self._report(problem)

    def on_read(self, count: int) -> None:
        self.size += count

    def check_lines(self) -> None:
        """Report findings in the lines of robots.txt, and listed sitemaps that it disallows."""
        for number, code, message in oddities(self._robots, self._context.url):
            self._context.problem(code, message, line=number)
        for number, sitemap in self._robots.sitemaps():
            uri = uris.to_uri(sitemap)
            if uri and (not self._context.url or urls.origin(uri) == self._host):
                for _, agent, rule in self._find_blocked([uri]):
                    by = f" by line {rule.line}, `{rule.text}`" if rule else ""
                    message = (
                        f"sitemap is disallowed for {agent}{by}; allow it, or move the sitemap"
                    )
                    self._context.problem("sitemap-disallowed", message, line=number, loc=sitemap)

    def check_pages(self, locs: Sequence[str]) -> None:
        pages = self._pages_to_check(locs)
        self.checked.pages += len(pages)
        for loc, agent, rule in self._find_blocked(pages):
            self.checked.disallowed[agent] += 1
            by = f" by `{rule.text}`" if rule else ""
            message = f"disallowed for {agent}{by}; allow it, or remove it from the sitemap"
            self._context.problem("disallowed", message, line=rule.line if rule else None, loc=loc)
        for known in self._known:
            if blocked := known.rules.disallowed(pages):
                known.first = known.first or blocked[0]
                known.pages += len(blocked)

    def report_known_crawlers(self) -> None:
        """Report known crawlers, besides those to check for, that may not fetch listed pages."""
        for known in self._known:
            if known.pages:
                crawler, rule = known.crawler, known.rules.find_rule(known.first)
                by = f" by `{rule.text}`" if rule else ""
                count = f"{known.pages:,} of {pluralize(self.checked.pages, 'page')} disallowed"
                name = f"{crawler.token} ({crawler.operator}, {crawler.purpose})"
                message = f"{count} for {name}{by}; first: {known.first}"
                code = "search-disallowed" if "search" in crawler.purpose else "ai-disallowed"
                self._context.problem(code, message, line=rule.line if rule else None)

    def _find_blocked(self, locs: Sequence[str]) -> Iterator[tuple[str, str, AccessRule | None]]:
        """Yield each disallowed URL with the crawler, and the line that disallows it if known."""
        for rules in self._rules:
            for loc in rules.disallowed(locs):
                rule = rules.find_rule(loc)
                for agent in rules.agents:
                    yield loc, agent, rule

    def _pages_to_check(self, locs: Sequence[str]) -> Sequence[str]:
        """Return the absolute URLs to check; count others for `report_other_hosts`."""
        # Usually, all URLs begin with the same host in the same form.
        if all(map(methodcaller("startswith", f"{self._host}/"), locs)):
            return locs
        locs = [loc for loc in locs if urls.is_absolute(loc)]
        self._host = self._host or urls.origin(next(iter(locs), ""))
        others = [loc for loc in locs if urls.origin(loc) != self._host]
        if not others:
            return locs
        self._other = self._other or others[0]
        self._other_pages += len(others)
        known = self._context.url is not None
        return [loc for loc in locs if urls.origin(loc) == self._host] if known else locs

    def report_other_hosts(self) -> None:
        pages = pluralize(self._other_pages, "page is", "pages are")
        if self._other and self._context.url:
            message = f"{pages} not on {self._host}, to which this robots.txt applies; not checked"
            self._context.problem("sitemap-other-host", message, loc=self._other)
        elif self._other:
            message = (
                f"{pages} on another host than the first page ({self._host}); checked as well; "
                "pass --robots-url to check one host only"
            )
            self._context.problem("several-page-hosts", message, loc=self._other)
