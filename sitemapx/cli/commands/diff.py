"""`sitemapx diff`."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

import click
import msgspec

from sitemapx.cli.options.dates import adding_options
from sitemapx.cli.options.sides import Sides
from sitemapx.cli.options.sources import reading_options, sources_argument
from sitemapx.cli.options.steps import fields_of, step_options, steps_of
from sitemapx.cli.options.targets import (
    head_from,
    leftover_lines,
    places,
    print_failure,
    summary_values,
    target_from,
    writing_options,
)
from sitemapx.cli.options.types import FIELD_NAMES, MAPPING, console_options, one_of
from sitemapx.cli.terminal.colour import has_colour
from sitemapx.cli.terminal.console import Console, printable
from sitemapx.cli.terminal.groups import GroupedCommand, given_in, grouped
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

_compared = grouped("Comparison")
#: Options of writing that mean something where differences are listed.
_ANYWAY = {"--output", "--strict"}
#: What can be done with the entries of both before they are compared.
_STEPS = ("include", "exclude", "unique")


@click.command(
    "diff",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx diff old/sitemap.xml public/sitemap.xml
  sitemapx diff old.xml new.xml --ignore lastmod --format json | jq -r .loc
  sitemapx diff public/sitemap.xml urls.txt
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
    "--format",
    "report_format",
    type=one_of("format", ["text", "json"]),
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
@adding_options
@writing_options
@partial(step_options, only=_STEPS)
@console_options
def command(sources: tuple[str, str], **options: Any) -> int:
    """
    List URLs added, removed or changed between OLD and NEW, sorted by URL.

    OLD and NEW may be in any format; fields that only one of the formats supports are not
    compared. With --to or -o, added and changed entries are written as by convert, and not listed.
    """
    console = Console.of(options, trouble=2)
    writes = options["to"] is not None or options["output"] != "-"
    if writes and options["report_format"]:
        raise UsageError("--format cannot be combined with --to or -o, which write entries")
    if not writes and (idle := given_in("Output", "HTML site map", "Head of a feed") - _ANYWAY):
        raise UsageError(f"{min(idle)} requires --to or -o, which write entries")
    target = target_from(options) if writes else None
    changes: Counter[str] = Counter()
    summary = None
    with closing(console), Sides(sources, _fields(options), options, console) as sides:
        if target:
            summary = write(
                lambda report: _news(*sides.opened(report), changes),
                target,
                head=head_from(options, target),
                steps=steps_of({"unique": options["unique"]}, target.format.unique),
                # fewer changes than last time are no loss
                safeguards=Safeguards(options["strict"], options["partial"], watches_loss=False),
                report=console.problem,
            )
        else:
            differences = _counted(sides.opened(console.problem)[0], changes)
            _list(differences, _as_json if options["report_format"] == "json" else _as_text)
    lines = [*_summary_lines(sides.comparison, changes, summary, _fields(options))]
    if summary and target:
        lines += leftover_lines(summary, target, options["output"])
    console.summary(lines, _summary_values(sides.comparison, changes, summary))
    if summary and target:
        print_failure(console, summary, options["output"])
    if summary and summary.failure:
        return 2
    if options["strict"] and console.problems.keys() - LOSSLESS:
        console.failed(why_strict())
        return 2
    if any(PROBLEMS[code].severity == "error" for code in console.problems):
        return 2
    return 1 if changes else 0


def _news(comparison: Comparison, new: SourcePart, changes: Counter[str]) -> Document:
    """Make a document of what was added or changed."""
    differences = _counted(comparison, changes)
    entries = (difference.new for difference in differences if difference.new)
    return Document(batched(entries), head=new.head, family=new.family, holds=new.holds)


def _summary_lines(
    comparison: Comparison, changes: Counter[str], summary: Summary | None, asked: frozenset[str]
) -> Iterator[str]:
    """Put into words what was found, and what was written of it."""
    counts = [f"{changes[name]:,} {name}" for name in ("added", "removed", "changed")]
    written = f"; {summary.written:,} written{places(summary)}" if summary else ""
    yield f"{', '.join(counts)}, {comparison.same:,} unchanged{written}"
    if one_sided := sorted(comparison.uncompared & asked):
        yield f"not compared (missing in one of the formats): {', '.join(one_sided)}"


def _summary_values(
    comparison: Comparison, changes: Counter[str], summary: Summary | None
) -> dict[str, object]:
    """Return the summary as the values of a JSON object."""
    counts = {name: changes[name] for name in ("added", "removed", "changed")}
    written = summary_values(summary) if summary else {}
    return counts | {"unchanged": comparison.same} | written


def _fields(options: dict[str, Any]) -> frozenset[str]:
    """List the fields that somebody wants to have compared."""
    only = check_fields(fields_of(options["only"])) or frozenset(FIELDS)
    return only - check_fields(fields_of(options["ignore"]))


def _counted(differences: Iterable[Difference], changes: Counter[str]) -> Iterator[Difference]:
    for difference in differences:
        changes[difference.change] += 1
        yield difference


# ---- as lines


def _list(differences: Iterable[Difference], line_of: Callable[[Difference], str]) -> None:
    """Print a line each, in UTF-8, in colour on a terminal."""
    is_coloured = has_colour(sys.stdout)
    for difference in differences:
        line = line_of(difference)
        if is_coloured:
            line = click.style(line, fg=_COLOURS[difference.change])
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


_COLOURS = {"added": "green", "removed": "red", "changed": "yellow"}
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}
_LONGEST = 80


def _as_text(difference: Difference) -> str:
    entry = difference.entry
    name = printable(entry.loc or entry.id or "(no URL or ID)")
    line = f"{_SIGNS[difference.change]} {name}"
    changes = [
        f"{name}: {_change(getattr(difference.old, name), getattr(difference.new, name))}"
        for name in difference.fields
    ]
    return f"{line}  {'; '.join(changes)}" if changes else line


def _change(old: Any, new: Any) -> str:
    """Write two values; of lists, what only one has, unless that is nothing."""
    if isinstance(old, tuple):
        gone = tuple(one for one in old if one not in new)
        come = tuple(one for one in new if one not in old)
        old, new = (gone, come) if gone or come else (old, new)
    return f"{_short(old)} → {_short(new)}"


def _short(value: Any) -> str:
    """Write a value so that it fits into a line."""
    if not has(value):
        return "(none)"
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    text = printable(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


class _DiffLine(msgspec.Struct, omit_defaults=True):
    """A difference as a line of JSON: of what changed, only the fields that did."""

    change: str
    loc: str | None = None
    id: str | None = None
    old: Entry | None = None
    new: Entry | None = None


def _as_json(difference: Difference) -> str:
    entry = difference.entry
    name = {"loc": entry.loc} if entry.loc else {"id": entry.id}
    line = _DiffLine(difference.change, **name, old=difference.old, new=difference.new)
    if difference.fields:
        line.old, line.new = (
            Entry(**{field: getattr(side, field) for field in difference.fields})
            for side in (difference.old, difference.new)
        )
    return msgspec.json.encode(line).decode()
