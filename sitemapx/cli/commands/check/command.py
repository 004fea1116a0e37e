"""The command `sitemapx check`: runs a check, and writes its reports or applies fixes."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import click

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.selection import PROFILES
from sitemapx.cli.commands.check.explanation import RuleExplanation, RuleList
from sitemapx.cli.commands.check.filtering import FindingFilter, filter_options
from sitemapx.cli.commands.check.inputs import Check, check_of, completeness_options, selected_codes
from sitemapx.cli.commands.check.outcome import FAIL_ON, Threshold, Verdict
from sitemapx.cli.commands.check.output import (
    REPORT,
    destinations_of,
    opened_outputs,
    reports_on,
)
from sitemapx.cli.commands.check.severity import severity_options
from sitemapx.cli.options.live import live_options
from sitemapx.cli.options.settings import (
    ConfiguredCommand,
    config_option,
    default_mappings,
    find_sitemaps,
)
from sitemapx.cli.options.sources import jobs_option, reading_options, sources_argument
from sitemapx.cli.options.types import RULE_CODES, Choice, WholeNumber, console_options
from sitemapx.cli.reports.registry import REPORTS
from sitemapx.cli.reports.writer import ReportWriter, Write
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import option_group
from sitemapx.cli.terminal.outputs import reject_source_overwrite
from sitemapx.settingsfile import FILE_NAME, SettingsFile

if TYPE_CHECKING:
    from sitemapx.cli.commands.check.fixing import Fixing

_chosen = option_group("Findings")
_output = option_group("Output")


@click.command(
    "check",
    cls=ConfiguredCommand,
    epilog="""\b
Examples:
  sitemapx check public/sitemap.xml --source-url https://example.com/sitemap.xml
  sitemapx check sitemap_index.xml --map https://example.com/=public --fail-on warning
  sitemapx check example.com --statistics
  sitemapx check feed.xml --ignore 'no-*'
  sitemapx check example.com -o report.html --format sarif=report.sarif
  sitemapx check public/sitemap.xml --fix --dry-run
  sitemapx check public/sitemap.xml --root public --require required.txt
  sitemapx check example.com --live --live-state answers.db
  sitemapx check --explain relative-loc

Exit status: 0 no finding reaches the severity of --fail-on; 1 at least one does; 2 the
check could not run, because a source cannot be read, a report cannot be written or an
option is invalid. `sitemapx check --list` lists all rules.""",
)
@sources_argument("SOURCE...", required=False)
@_chosen(
    "--select",
    type=RULE_CODES,
    multiple=True,
    metavar="CODES",
    help="Enable only these rules (globs allowed, e.g. bad-*).",
)
@_chosen("--ignore", type=RULE_CODES, multiple=True, metavar="CODES", help="Disable these rules.")
@severity_options
@filter_options
@_chosen(
    "--fail-on",
    type=Choice("severity", FAIL_ON),
    default="error",
    show_default=True,
    help="Exit with status 1 if any finding has this severity or a higher one.",
)
@_chosen(
    "--engine",
    type=Choice("engine", PROFILES),
    help="Apply the documented rules of this search engine.  [default: those of the protocol]",
)
@_chosen(
    "--robots",
    metavar="FILE",
    type=click.Path(),
    help="robots.txt of the site (file or URL), to find the URLs that it blocks.  [default: that "
    "of each site, if its sitemap is fetched]",
)
@_chosen(
    "--agent",
    "agents",
    multiple=True,
    metavar="NAME",
    help="Crawler to check robots.txt for. Repeatable.  [default: that of --engine, or *]",
)
@_chosen(
    "--list",
    cls=RuleList,
    is_flag=True,
    is_eager=True,
    expose_value=False,
    help="List all rules, or those of --select and --ignore, and exit; as JSON with --format json.",
)
@_chosen(
    "--explain",
    cls=RuleExplanation,
    type=RULE_CODES,
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    help="Explain a code of any command and exit; as JSON with --format json.",
)
@_chosen("--fix", is_flag=True, help="Fix problems in the files, where the fix is unambiguous.")
@_chosen("--dry-run", is_flag=True, help="With --fix: print a diff, and change nothing.")
@_output(
    "--format",
    "--output-format",
    "formats",
    type=REPORT,
    multiple=True,
    metavar="FORMAT[=FILE]",
    help=f"Report format: {', '.join(REPORTS)}. With =FILE, also write a report to FILE. "
    "Repeatable.  [default: by the extension of the output file, else grouped on a terminal and "
    "concise elsewhere]",
)
@_output(
    "--statistics",
    is_flag=True,
    help="Print the number of findings per rule (--format statistics).",
)
@_output(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Write the report to FILE.  [default: standard output]",
)
@_output(
    "--max-per-code",
    type=WholeNumber(0),
    metavar="N",
    help="Show at most N findings per rule, and count the rest; 0 shows all.  [default: 10 "
    "in grouped, 100 in html and markdown, 1000 in gitlab]",
)
@completeness_options
@live_options
@reading_options
@jobs_option("local files, or the pages of a directory")
@config_option
@console_options
def command(sources: tuple[str, ...], **options: Any) -> int:
    """
    Validate each SOURCE, and all of them together.

    A SOURCE is a file, a directory, a URL or a host, as for `convert`; by default, the sitemaps in
    sitemapx.toml are checked. The sitemaps listed in an index are checked as well. Each finding
    has a code, a location, a reason and a fix.
    """
    names = list(sources)
    if file := SettingsFile.load(options["config"]):
        from sitemapx.submit.settings import settings_of

        settings = settings_of(file)
        mappings = default_mappings(settings)
        if not names:
            names, known = find_sitemaps(options["config"], settings)
            mappings = [(mapping.url, mapping.folder) for mapping in known]
        options["maps"] = [*options["maps"], *mappings]
    return run(names, options, Console.from_options(options, error_status=2))


def run(
    sources: Sequence[str],
    options: dict[str, Any],
    console: Console,
    shown: Callable[[Finding], Finding] | None = None,
) -> int:
    """
    Run a check as the options specify, and return the exit status.

    `shown` converts each finding for the report, for example to another name of the file.
    """
    if not sources:
        raise click.UsageError(
            f"missing SOURCE: pass a file, URL or host, or --list or --explain, or set sitemaps in "
            f"{FILE_NAME}"
        )
    if options["dry_run"] and not options["fix"]:
        raise click.UsageError("--dry-run requires --fix")
    outputs = destinations_of(options)
    reject_source_overwrite([output.path for output in outputs], sources)
    codes = selected_codes(options)
    finding_filter = FindingFilter(options, shown)
    checked = check_of(sources, outputs, codes, finding_filter, console, options)
    verdict = Verdict(threshold := Threshold(options["fail_on"]))
    fixing = _fixing_of(console, codes, finding_filter) if options["fix"] else None
    try:
        with ExitStack() as stack:
            opened = stack.enter_context(opened_outputs(outputs, threshold.fails))
            report = reports_on(
                outputs, opened, options["max_per_code"], console, is_quiet=options["quiet"]
            )
            if fixing:
                stack.enter_context(closing(fixing))
                patch = opened[0].write if options["dry_run"] else None
                result = _fix(checked, report, fixing, verdict, console, patch)
            else:
                result = _report(checked, report, verdict, console, shown)
    finally:
        console.close()
    fixes = fixing.summary_lines() if fixing else ()
    written = [output.path for output in outputs if output.path != "-"]
    lines = [
        *verdict.lines(result, finding_filter.hidden),
        *finding_filter.finish_baseline(is_complete=not verdict.unreadable),
        *fixes,
        *(f"{'diff' if options['dry_run'] else 'report'} written to {path}" for path in written),
    ]
    console.print_summary(lines, verdict.values(result) | {"reports": written})
    return verdict.status(result, is_incomplete=bool(fixing and fixing.has_failed))


def _fixing_of(console: Console, codes: frozenset[str], finding_filter: FindingFilter) -> "Fixing":
    from sitemapx.cli.commands.check.fixing import Fixing

    return Fixing(console, lambda source: codes - finding_filter.ignored(source))


def _report(
    checked: Check,
    report: ReportWriter,
    verdict: Verdict,
    console: Console,
    shown: Callable[[Finding], Finding] | None,
) -> CheckResult:
    def report_finding(finding: Finding) -> None:
        verdict.count_finding(finding)
        report.add_finding(shown(finding) if shown else finding)

    result = checked(report=report_finding)
    console.close()
    report.finish_report(result)
    return result


def _fix(
    checked: Check,
    report: ReportWriter,
    fixing: "Fixing",
    verdict: Verdict,
    console: Console,
    patch: Write | None,
) -> CheckResult:
    result = checked(report=fixing.add_finding)
    console.close()
    if patch:
        fixing.show(result, patch)
    else:
        fixing.fix(result)
        result.schema_invalid.clear()
    for finding in fixing.findings():
        verdict.count_finding(finding)
        if finding.schema and not finding.fixed and finding.source:
            result.schema_invalid.add(finding.source)
        if not patch:
            report.add_finding(finding)
        elif finding.severity == "error" and not finding.fixed:
            console.print_problem(finding)  # standard output is used for the patch
    if not patch:
        report.finish_report(result)
    return result
