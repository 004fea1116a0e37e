"""`sitemapx check`."""

import sys
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from sitemapx.check.checker import check
from sitemapx.check.findings import Finding
from sitemapx.check.profiles import PROFILES
from sitemapx.check.result import CheckResult
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.selection import codes_of
from sitemapx.cli.commands.check.explanation import explain_rule, list_rules
from sitemapx.cli.commands.check.outcome import FAIL_ON, Threshold, Verdict
from sitemapx.cli.commands.check.output import opened_report, refuse_sources
from sitemapx.cli.options.live import live_of, live_options
from sitemapx.cli.options.sources import opener_of, reading_options, sources_argument, total_size
from sitemapx.cli.options.types import console_options, split_words
from sitemapx.cli.reports.limited import Limited
from sitemapx.cli.reports.registry import REPORTS, reporter
from sitemapx.cli.reports.writer import Write
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand, grouped

if TYPE_CHECKING:
    from sitemapx.cli.commands.check.fixing import Fixing

__all__ = ["command"]

_chosen = grouped("Findings")
_output = grouped("Output")


@click.command(
    "check",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx check public/sitemap.xml --source-url https://example.com/sitemap.xml
  sitemapx check sitemap_index.xml --map https://example.com/=public --fail-on warning
  sitemapx check example.com --statistics
  sitemapx check feed.xml --ignore 'no-*'
  sitemapx check example.com --format html -o report.html
  sitemapx check public/sitemap.xml --fix --dry-run
  sitemapx check example.com --live --live-state answers.db
  sitemapx check --explain relative-loc

\b
Exit status: 0 no finding reaches the severity of --fail-on; 1 at least one does; 2 the
check could not run, because a source cannot be read, a report cannot be written or an
option is invalid. All codes are listed in docs/check.md.""",
)
@sources_argument("SOURCE...", required=False)
@_chosen("--select", multiple=True, metavar="CODES", help="Look for these only, such as bad-*.")
@_chosen("--ignore", multiple=True, metavar="CODES", help="Do not look for these.")
@_chosen(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="error",
    show_default=True,
    help="Exit with status 1 if there is a finding of this severity or a worse one.",
)
@_chosen(
    "--engine",
    type=click.Choice(list(PROFILES)),
    help="Judge as this engine says that it does.  [default: as the protocol]",
)
@_chosen(
    "--robots",
    metavar="FILE",
    type=click.Path(),
    help="The robots.txt of the site, as a file or URL: tells what it disallows, too.  [default: "
    "that of each site, if its sitemap is fetched]",
)
@_chosen(
    "--agent",
    "agents",
    multiple=True,
    metavar="NAME",
    help="Crawler to judge robots.txt for; repeatable.  [default: that of --engine, or *]",
)
@_chosen(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=list_rules,
    help="List all codes, and end.",
)
@_chosen(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=explain_rule,
    help="Tell why something is wrong and how to fix it, and end.",
)
@_chosen("--fix", is_flag=True, help="Fix the files, where there is one right way to.")
@_chosen("--dry-run", is_flag=True, help="With --fix: show a diff instead, and change nothing.")
@_output(
    "--format",
    "report_format",
    type=click.Choice(list(REPORTS)),
    help="How findings are written.  [default: grouped on a terminal, else concise; json with "
    "--report json]",
)
@_output("--statistics", is_flag=True, help="Show how often each code was found, not each finding.")
@_output(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Where to.  [default: standard output]",
)
@_output(
    "--max-per-code",
    type=click.IntRange(0),
    metavar="N",
    help="Show N findings of each code, and count the rest; 0: all.  [default: 10 in "
    "grouped, 100 in html]",
)
@live_options
@reading_options
@console_options
def command(sources: tuple[str, ...], **options: Any) -> int:
    """
    Find what is wrong with each SOURCE, and with all of them together.

    A SOURCE is what it is for `convert`: a file, a URL, a host; an index stands for the sitemaps
    that it lists, too. Each finding has a code, a place, a reason, and what to do about it.
    """
    if not sources:
        raise click.UsageError("name a SOURCE to check, or --list or --explain")
    if options["statistics"] and options["report_format"]:
        raise click.UsageError("--statistics is a format of its own; drop --format")
    if options["dry_run"] and not options["fix"]:
        raise click.UsageError("--dry-run shows what --fix would do; give both")
    console = Console.of(options, trouble=2)
    refuse_sources(options["output"], sources)
    codes = codes_of(split_words(options["select"]), split_words(options["ignore"]))
    report_format = options["report_format"] or _default_format(options)
    engine, opener = options["engine"], opener_of(options, console.say, sources)
    if options["fix"]:  # no file is changed because of its name alone
        opener = opener._replace(beside=None)
    agents = options["agents"] or ([PROFILES[engine].agent] if engine else ["*"])
    robots = RobotsTexts(options["robots"], agents, opener.fetcher)
    live = live_of(options, opener, console)
    total = total_size(sources)

    def checked(report: Callable[[Finding], object]) -> CheckResult:
        return check(
            sources,
            opener=opener,
            codes=codes,
            engine=engine,
            robots=robots,
            live=live,
            with_survey=REPORTS[report_format].with_survey,
            report=report,
            progress=lambda entries, size: console.progress(entries, size, total),
            on_file=lambda name: refuse_sources(options["output"], [name]),
        )

    verdict = Verdict(threshold := Threshold(options["fail_on"]))
    try:
        with opened_report(options["output"], threshold.fails) as output:
            report = Limited(
                reporter(report_format, output), _most(report_format, options["max_per_code"])
            )
            if options["fix"]:
                from sitemapx.cli.commands.check.fixing import Fixing

                with closing(Fixing(console.say, codes)) as fixing:
                    return _fix(checked, report, output.write, fixing, verdict, console, options)

            def tell(finding: Finding) -> None:
                verdict.add(finding)
                report.add(finding)

            result = checked(tell)
            console.close()
            report.end(result)
    finally:
        console.close()
    for line in verdict.lines(result):
        console.say(line)
    return verdict.status(result)


def _fix(
    checked: Callable[[Callable[[Finding], object]], CheckResult],
    report: "Limited",
    write: Write,
    fixing: "Fixing",
    verdict: Verdict,
    console: Console,
    options: dict[str, Any],
) -> int:
    """Check, fix what can be fixed, or show what that would change, and then report."""
    result = checked(fixing.add)
    console.close()
    if options["dry_run"]:
        fixing.show(result, write)
    else:
        fixing.fix(result)
    for finding in fixing.findings():
        verdict.add(finding)
        if not options["dry_run"]:
            report.add(finding)
        elif finding.severity == "error" and not finding.fixed:
            console.problem(finding)  # standard output is a patch
    if not options["dry_run"]:
        report.end(result)
    for line in (*verdict.lines(result), *fixing.summary_lines()):
        console.say(line)
    return verdict.status(result, is_incomplete=fixing.has_failed)


def _default_format(options: dict[str, Any]) -> str:
    """Return the format for people, unless a program reads along, or a line each is at hand."""
    if options["statistics"]:
        return "statistics"
    if options["report"] == "json":
        return "json"
    return "grouped" if options["output"] == "-" and sys.stdout.isatty() else "concise"


def _most(report_format: str, asked: int | None) -> int | None:
    """Return how many findings of a code are shown; None for all."""
    return REPORTS[report_format].most if asked is None else asked or None
