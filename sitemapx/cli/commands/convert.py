"""The command `sitemapx convert`: its options, and the conversion that they describe."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from sitemapx.cli.options.dates import build_date_steps, enrichment_options
from sitemapx.cli.options.jobs import JobsCommand, job_option
from sitemapx.cli.options.settings import config_option
from sitemapx.cli.options.sources import (
    build_opener,
    jobs_option,
    reading_options,
    sources_argument,
    total_size,
)
from sitemapx.cli.options.steps import build_steps, step_options
from sitemapx.cli.options.targets import (
    build_head,
    build_target,
    describe_outputs,
    leftover_lines,
    print_failure,
    replacing_options,
    summary_values,
    writing_options,
)
from sitemapx.cli.options.types import console_options
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.conversion import convert
from sitemapx.convert.formats.registry import by_suffix
from sitemapx.convert.model.problems import NOT_SUPPORTED, Problem
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.summary import Safeguards, Summary
from sitemapx.convert.values.urls import is_absolute
from sitemapx.convert.values.words import shorten_list
from sitemapx.errors import UsageError
from sitemapx.optionnames import advice

if TYPE_CHECKING:
    from sitemapx.convert.steps import Step


@click.command(
    "convert",
    cls=JobsCommand,
    epilog="""\b
Examples:
  sitemapx convert sitemap.xml --to text
  sitemapx convert example.com https://example.org/feed.xml --to jsonl
  sitemapx convert urls.txt -o public/sitemap.xml --base-url https://example.com/
  sitemapx convert a.xml b.xml.gz list.txt --to jsonl | jq -r .loc
  sitemapx convert feed.xml -o public/map.html --title "Site map"
  sitemapx convert sitemap_index.xml --to csv -o all.csv --map https://example.com/=public
  zcat urls.txt.gz | sitemapx convert - --to sitemap --gzip > sitemap.xml.gz

Exit status: 0 success; 1 a source is damaged, a problem occurred with --strict, or the
run could not be completed; 2 usage error, or no such SOURCE. OUTPUT is not replaced if a
source cannot be read completely (unless --partial) or if no entries remain (unless
--allow-empty). `sitemapx formats` lists the formats.""",
)
@sources_argument("SOURCE...")
@reading_options
@enrichment_options
@jobs_option("local files, or the pages of a directory")
@writing_options
@replacing_options
@step_options
@config_option
@job_option
@click.option("-v", "--verbose", is_flag=True, help="List each element that no format supports.")
@console_options
def command(sources: tuple[str, ...], **options: Any) -> int:
    """
    Read the entries of every SOURCE, and write them to one OUTPUT.

    A SOURCE is a file, a directory of HTML pages, a URL, a host (its robots.txt lists its
    sitemaps), or - for standard input. An index stands for the sitemaps that it lists.

    Without SOURCE, the jobs in sitemapx.toml are run: each [[convert]] there builds one OUTPUT.

    Compression and format are detected from the content. Output over the limits of one file
    becomes a set of files with an index. All losses are reported on stderr.
    """
    console = Console.from_options(options)
    if len(sources) > 1 and not options["to"] and options["output"] == "-":
        _reject_missing_output_option(sources[-1])
    target = build_target(options)
    summary = build(sources, options, target, console)
    left = leftover_lines(summary, target, options["output"])
    console.print_summary(summary_lines(summary, left, options), summary_values(summary))
    print_failure(console, summary, options["output"])
    return 1 if summary.failure or summary.has_errors else 0


def _reject_missing_output_option(last: str) -> None:
    """Raise UsageError if the last source seems to be the output: a name of a file to write."""
    if by_suffix(last) and not (is_absolute(last) or os.path.exists(last)):
        raise UsageError(f"no such file: {last}; to write it, pass -o {last}")


def build(
    sources: Sequence[str],
    options: dict[str, Any],
    target: Target,
    console: Console,
    unsaved: "list[Step] | None" = None,
) -> Summary:
    """
    Convert the sources to the target as the options specify.

    Args:
        unsaved: List to which the steps are appended; the caller then saves their state after
            publishing the output. If None, `build` saves the state.

    """
    total = total_size(sources)
    unsupported = _UnsupportedElements(console, options)
    opener = build_opener(options, console.say, sources)
    steps = [
        *build_date_steps(sources, options, opener),
        *build_steps(options, target.format.unique),
    ]
    if unsaved is not None:
        unsaved += steps
        steps = [step._replace(save=None) for step in steps]
    try:
        return convert(
            sources,
            target,
            opener=opener,
            head=build_head(options, target),
            steps=steps,
            safeguards=Safeguards(
                options["strict"],
                options["partial"],
                options["allow_empty"],
                options["max_loss"],
            ),
            report=unsupported.report,
            progress=lambda entries, size: console.show_progress(entries, size, total),
        )
    finally:
        console.close()
        unsupported.print_names()


class _UnsupportedElements:
    """
    Prints problems, but the names of elements that no format supports only at the end.

    If the options list all losses, these elements are printed like other problems.
    """

    CODE = "ignored-element"

    def __init__(self, console: Console, options: Mapping[str, Any]) -> None:
        self._console = console
        self._is_verbose = _lists_all(options)
        self._names: dict[str, None] = {}

    def report(self, problem: Problem) -> None:
        if problem.code == self.CODE and not self._is_verbose:
            self._names[problem.message.partition(NOT_SUPPORTED)[0]] = None
        else:
            self._console.print_problem(problem)

    def print_names(self) -> None:
        if self._names:
            names = shorten_list(list(self._names))
            hint = advice("pass --verbose to list each")
            self._console.say(
                f"dropped, as no format supports it: {names}{f' ({hint})' if hint else ''}"
            )


def _lists_all(options: Mapping[str, Any]) -> bool:
    """Return whether to list each loss, even those that the target format makes inevitable."""
    return bool(options["verbose"] or options["strict"] or options["report"] == "json")


def summary_lines(summary: Summary, left: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """Return the lines of the summary; `left` are the lines about removed and leftover files."""
    entries = "entry" if summary.read == 1 else "entries"
    outputs = describe_outputs(summary)
    lines = [f"{summary.read:,} {entries} read, {summary.written:,} written{outputs}", *left]
    if left_out := +summary.left_out:
        counts = (f"{name} {count:,}" for name, count in left_out.items())
        lines.append(f"skipped: {', '.join(counts)}")
    implied = set() if _lists_all(options) else {"dropped-field", _UnsupportedElements.CODE}
    if problems := [row for row in summary.problems.most_common() if row[0] not in implied]:
        counts = (f"{code} {count:,}" for code, count in problems)
        lines.append(f"problems: {', '.join(counts)}")
    return lines
