"""The command `sitemapx diff`: compares two sources, and lists or writes the differences."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

import click
from msgspec.structs import replace

from sitemapx.cli.commands.diff.formats import FORMATS, ComparisonResult, infer_report_format
from sitemapx.cli.options.dates import enrichment_options
from sitemapx.cli.options.sides import DiffInputs
from sitemapx.cli.options.sources import reading_options, sources_argument
from sitemapx.cli.options.steps import build_steps, parse_fields, step_options
from sitemapx.cli.options.targets import (
    build_head,
    build_target,
    describe_outputs,
    leftover_lines,
    print_failure,
    summary_values,
    writing_options,
)
from sitemapx.cli.options.types import FIELD_NAMES, MAPPING, Choice, console_options
from sitemapx.cli.terminal.console import Console, has_colour
from sitemapx.cli.terminal.groups import GroupedCommand, find_given_options, option_group
from sitemapx.cli.terminal.outputs import (
    create_draft,
    publish_draft,
    reject_source_overwrite,
    text_writer,
)
from sitemapx.convert.conversion import write
from sitemapx.convert.diff import Comparison, Difference
from sitemapx.convert.model.batch import FIELDS, batched
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import LOSSLESS, PROBLEMS
from sitemapx.convert.sources.source import SourcePart
from sitemapx.convert.steps.fields import check_fields
from sitemapx.convert.summary import Safeguards, Summary, why_strict
from sitemapx.errors import UsageError

_compared = option_group("Comparison")
#: Headings of the options for entries that are written.
_HEADINGS = ("Output", "HTML site map", "Head of a feed")
#: Output options that also apply to a list of differences.
_LISTING_OPTIONS = {"--output", "--strict"}
#: Steps that may be applied to both sources.
_STEPS = ("include", "exclude", "unique")


@click.command(
    "diff",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx diff old/sitemap.xml public/sitemap.xml
  sitemapx diff old.xml new.xml --ignore lastmod --format json | jq -r .loc
  sitemapx diff public/sitemap.xml urls.txt
  sitemapx diff old.xml new.xml --rewrite old.example=new.example
  sitemapx diff old.xml new.xml -o report.html
  sitemapx diff old.xml new.xml --to sitemap -o public/changed.xml

Exit status, as of diff(1): 0 no differences; 1 differences; 2 usage error, or an input
cannot be read completely.""",
)
@sources_argument("OLD NEW", "OLD", "NEW")
@_compared(
    "--ignore",
    type=FIELD_NAMES,
    multiple=True,
    metavar="FIELDS",
    help="Do not compare these fields, such as lastmod,changefreq.",
)
@_compared(
    "--only", type=FIELD_NAMES, multiple=True, metavar="FIELDS", help="Compare only these fields."
)
@_compared(
    "--rewrite",
    multiple=True,
    metavar="OLD=NEW",
    help="First change scheme (http:=https:), host (old.example=new.example) or path of the URLs "
    "of OLD, as convert does, such as after a site has moved. Repeatable.",
)
@_compared(
    "--normalize",
    is_flag=True,
    help="Compare URLs in normalized form, as submit does: /%7ejo equals /~jo.",
)
@_compared(
    "--format",
    "report_format",
    type=Choice("format", FORMATS),
    help="List differences as text or JSON, one per line, or write a report in html or markdown.  "
    "[default: by the extension of OUTPUT, else text]",
)
@_compared(
    "--map-old",
    "old_maps",
    type=MAPPING,
    multiple=True,
    metavar="URL=DIR",
    help="For OLD, read URLs below URL from directory DIR. Repeatable.",
)
@_compared(
    "--map-new",
    "new_maps",
    type=MAPPING,
    multiple=True,
    metavar="URL=DIR",
    help="For NEW, read URLs below URL from directory DIR. Repeatable. --map applies to the side "
    "in its DIR.",
)
@reading_options
@enrichment_options
@writing_options
@partial(step_options, only=_STEPS)
@console_options
def command(sources: tuple[str, str], **options: Any) -> int:
    """
    List URLs added, removed or changed between OLD and NEW, sorted by URL.

    OLD and NEW may be in any format; fields that only one of the formats supports are not
    compared.

    An OUTPUT that ends in .html or .md is a report of the comparison. With --to or another OUTPUT,
    added and changed entries are written as `convert` writes them, and not listed.
    """
    console = Console.from_options(options, error_status=2)
    output, form = options["output"], options["report_format"]
    if form and options["to"]:
        raise UsageError("--format cannot be combined with --to, which writes entries")
    form = form or ("" if options["to"] else infer_report_format(output))
    reject_source_overwrite([output], sources)
    if form and (idle := find_given_options(*_HEADINGS) - _LISTING_OPTIONS):
        raise UsageError(f"{min(idle)} requires --to, which writes entries")
    target = None if form else build_target(options)
    changes: Counter[str] = Counter()
    summary = None
    selected = _selected_fields(options)
    with closing(console), DiffInputs(sources, selected, options, console) as inputs:
        if target:
            summary = write(
                lambda report: _changed_document(*inputs.open(report), changes),
                target,
                head=build_head(options, target),
                steps=build_steps({"unique": options["unique"]}, target.format.unique),
                # a smaller number of changes is not a loss
                safeguards=Safeguards(options["strict"], options["partial"], watches_loss=False),
                report=console.print_problem,
            )
        else:
            comparison, _ = inputs.open(console.print_problem)
            result = ComparisonResult(
                sources,
                comparison,
                selected,
                options["rewrite"],
                changes,
                has_errors=lambda: _has_errors(console),
                is_coloured=output == "-" and has_colour(sys.stdout),
            )
            texts = FORMATS[form](_count_changes(comparison, changes), result)
            _write_texts(texts, output, lambda: not (options["strict"] and _has_losses(console)))
    lines = [*_summary_lines(inputs.comparison, changes, summary, selected)]
    if summary and target:
        lines += leftover_lines(summary, target, output)
    console.print_summary(lines, _summary_values(inputs.comparison, changes, summary))
    if summary and target:
        print_failure(console, summary, output)
    if summary and summary.failure:
        return 2
    if options["strict"] and _has_losses(console):
        console.print_error(why_strict())
        return 2
    if _has_errors(console):
        return 2
    return 1 if changes else 0


def _has_losses(console: Console) -> bool:
    return bool(console.problems.keys() - LOSSLESS)


def _has_errors(console: Console) -> bool:
    return any(PROBLEMS[code].severity == "error" for code in console.problems)


def _write_texts(texts: Iterable[str], output: str, may_publish: Callable[[], bool]) -> None:
    """Write texts to standard output, or to a file that is replaced only if `may_publish()`."""
    if output == "-":
        write = text_writer(sys.stdout.buffer.write)
        for text in texts:
            write(text)
        sys.stdout.buffer.flush()
        return
    draft = create_draft(output)
    try:
        write = text_writer(draft.write)
        for text in texts:
            write(text)
        if may_publish():
            publish_draft(draft, output)
    finally:
        draft.discard()


def _changed_document(comparison: Comparison, new: SourcePart, changes: Counter[str]) -> Document:
    """Return a document of added and changed entries; reading the document fills `changes`."""
    differences = _count_changes(comparison, changes)
    entries = (difference.new for difference in differences if difference.new)
    return Document(batched(entries), head=new.head, family=new.family, holds=new.holds)


def _summary_lines(
    comparison: Comparison, changes: Counter[str], summary: Summary | None, selected: frozenset[str]
) -> Iterator[str]:
    counts = [f"{changes[name]:,} {name}" for name in ("added", "removed", "changed")]
    written = f"; {summary.written:,} written{describe_outputs(summary)}" if summary else ""
    yield f"{', '.join(counts)}, {comparison.same:,} unchanged{written}"
    if one_sided := sorted(comparison.uncompared & selected):
        yield f"not compared (missing in one of the formats): {', '.join(one_sided)}"


def _summary_values(
    comparison: Comparison, changes: Counter[str], summary: Summary | None
) -> dict[str, object]:
    counts = {name: changes[name] for name in ("added", "removed", "changed")}
    written = summary_values(summary) if summary else {}
    return counts | {"unchanged": comparison.same} | written


def _selected_fields(options: dict[str, Any]) -> frozenset[str]:
    only = check_fields(parse_fields(options["only"])) or frozenset(FIELDS)
    return only - check_fields(parse_fields(options["ignore"]))


def _count_changes(
    differences: Iterable[Difference], changes: Counter[str]
) -> Iterator[Difference]:
    for difference in differences:
        changes[difference.change] += 1
        yield _with_original_url(difference)


def _with_original_url(difference: Difference) -> Difference:
    """Restore the URL that a removed entry had before `--rewrite`."""
    old, new = difference.old, difference.new
    if new or not (old and old.source):
        return difference
    return Difference(replace(old, loc=old.source, source=None), None)
