"""`sitemapx diff`."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

import click
import msgspec

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
from sitemapx.cli.terminal.colour import has_colour
from sitemapx.cli.terminal.console import Console, printable
from sitemapx.cli.terminal.groups import GroupedCommand, find_given_options, option_group
from sitemapx.convert.conversion import write
from sitemapx.convert.diff import Comparison, Difference
from sitemapx.convert.model.batch import FIELDS, batched
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry, has
from sitemapx.convert.model.problems import LOSSLESS, PROBLEMS
from sitemapx.convert.sources.source import SourcePart
from sitemapx.convert.steps.fields import check_fields
from sitemapx.convert.summary import Safeguards, Summary, why_strict
from sitemapx.errors import UsageError

_compared = option_group("Comparison")
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
    type=Choice("format", ["text", "json"]),
    help="List differences as text or JSON, one per line.  [default: text]",
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
    compared. With --to or -o, added and changed entries are written as by convert, and not listed.
    """
    console = Console.from_options(options, error_status=2)
    writes = options["to"] is not None or options["output"] != "-"
    if writes and options["report_format"]:
        raise UsageError("--format cannot be combined with --to or -o, which write entries")
    if not writes and (
        idle := find_given_options("Output", "HTML site map", "Head of a feed") - _LISTING_OPTIONS
    ):
        raise UsageError(f"{min(idle)} requires --to or -o, which write entries")
    target = build_target(options) if writes else None
    changes: Counter[str] = Counter()
    summary = None
    with (
        closing(console),
        DiffInputs(sources, _selected_fields(options), options, console) as inputs,
    ):
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
            differences = _count_changes(inputs.open(console.print_problem)[0], changes)
            _print_differences(
                differences, _format_json if options["report_format"] == "json" else _format_text
            )
    lines = [*_summary_lines(inputs.comparison, changes, summary, _selected_fields(options))]
    if summary and target:
        lines += leftover_lines(summary, target, options["output"])
    console.print_summary(lines, _summary_values(inputs.comparison, changes, summary))
    if summary and target:
        print_failure(console, summary, options["output"])
    if summary and summary.failure:
        return 2
    if options["strict"] and console.problems.keys() - LOSSLESS:
        console.print_error(why_strict())
        return 2
    if any(PROBLEMS[code].severity == "error" for code in console.problems):
        return 2
    return 1 if changes else 0


def _changed_document(comparison: Comparison, new: SourcePart, changes: Counter[str]) -> Document:
    """Return the added and changed entries as a document; adds the counts to `changes`."""
    differences = _count_changes(comparison, changes)
    entries = (difference.new for difference in differences if difference.new)
    return Document(batched(entries), head=new.head, family=new.family, holds=new.holds)


def _summary_lines(
    comparison: Comparison, changes: Counter[str], summary: Summary | None, selected: frozenset[str]
) -> Iterator[str]:
    """Yield the lines of the summary: numbers of differences, and of written entries."""
    counts = [f"{changes[name]:,} {name}" for name in ("added", "removed", "changed")]
    written = f"; {summary.written:,} written{describe_outputs(summary)}" if summary else ""
    yield f"{', '.join(counts)}, {comparison.same:,} unchanged{written}"
    if one_sided := sorted(comparison.uncompared & selected):
        yield f"not compared (missing in one of the formats): {', '.join(one_sided)}"


def _summary_values(
    comparison: Comparison, changes: Counter[str], summary: Summary | None
) -> dict[str, object]:
    """Return the values of the summary, for JSON output."""
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
        yield difference


def _print_differences(
    differences: Iterable[Difference], line_of: Callable[[Difference], str]
) -> None:
    """Print one line per difference, in UTF-8, coloured on a terminal."""
    is_coloured = has_colour(sys.stdout)
    for difference in differences:
        line = line_of(difference)
        if is_coloured:
            line = click.style(line, fg=_COLOURS[difference.change])
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


_COLOURS = {"added": "green", "removed": "red", "changed": "yellow"}
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}
_MAX_LENGTH = 80


def _format_text(difference: Difference) -> str:
    entry = difference.entry
    name = printable(entry.loc or entry.id or "(no URL or ID)")
    line = f"{_SIGNS[difference.change]} {name}"
    changes = [
        f"{name}: {_format_change(getattr(difference.old, name), getattr(difference.new, name))}"
        for name in difference.fields
    ]
    return f"{line}  {'; '.join(changes)}" if changes else line


def _format_change(old: Any, new: Any) -> str:
    """Format a change as `old → new`; of lists, only the elements that were added or removed."""
    if isinstance(old, tuple):
        removed = tuple(value for value in old if value not in new)
        added = tuple(value for value in new if value not in old)
        old, new = (removed, added) if removed or added else (old, new)
    return f"{_format_value(old)} → {_format_value(new)}"


def _format_value(value: Any) -> str:
    if not has(value):
        return "(none)"
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    text = printable(text)
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 1]}…"


class _DiffLine(msgspec.Struct, omit_defaults=True):
    """A difference in JSON; of changed entries, only the changed fields."""

    change: str
    loc: str | None = None
    id: str | None = None
    old: Entry | None = None
    new: Entry | None = None


def _format_json(difference: Difference) -> str:
    entry = difference.entry
    name = {"loc": entry.loc} if entry.loc else {"id": entry.id}
    line = _DiffLine(difference.change, **name, old=difference.old, new=difference.new)
    if difference.fields:
        line.old, line.new = (
            Entry(**{field: getattr(side, field) for field in difference.fields})
            for side in (difference.old, difference.new)
        )
    return msgspec.json.encode(line).decode()
