"""Formats of the differences that `sitemapx diff` finds: lists, and reports for people."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click
import msgspec

from sitemapx.cli.terminal.console import printable
from sitemapx.convert.diff import Comparison, Difference
from sitemapx.convert.model.entry import Entry, has
from sitemapx.convert.sources.source import source_name
from sitemapx.convert.values.words import pluralize


class ComparisonResult(NamedTuple):
    """
    A comparison, with counts that are complete once all differences have been read.

    Attributes:
        sources: Names of the old and the new source, as passed by the user.
        fields: Names of the fields that the user wants to compare.
        rewrites: The rules by which the URLs of the old source are rewritten, as `OLD=NEW`.
        changes: Number of differences of each kind.
        has_errors: Returns whether a source could not be read completely.

    """

    sources: Sequence[str]
    comparison: Comparison
    fields: Collection[str]
    rewrites: Sequence[str]
    changes: Mapping[str, int]
    has_errors: Callable[[], bool]
    is_coloured: bool


def infer_report_format(output: str) -> str:
    """Infer the format from the name of the output; return an empty string for other extensions."""
    suffix = "-" if output == "-" else output.lower().rpartition(".")[2]
    return {"-": "text", "html": "html", "htm": "html", "md": "markdown"}.get(suffix, "")


# ---- lists

_COLOURS = {"added": "green", "removed": "red", "changed": "yellow"}
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}
_MAX_LENGTH = 80


def _text(differences: Iterable[Difference], result: ComparisonResult) -> Iterator[str]:
    for difference in differences:
        changes = "; ".join(_changes(difference))
        line = f"{_SIGNS[difference.change]} {_name(difference)}{'  ' * bool(changes)}{changes}"
        if result.is_coloured:
            line = click.style(line, fg=_COLOURS[difference.change])
        yield f"{line}\n"


def _name(difference: Difference) -> str:
    entry = difference.entry
    return printable(entry.loc or entry.id or "(no URL or ID)")


def _changes(difference: Difference) -> list[str]:
    return [
        f"{name}: {_format_change(getattr(difference.old, name), getattr(difference.new, name))}"
        for name in difference.fields
    ]


def _format_change(old: Any, new: Any) -> str:
    """Format a change as `old → new`; for lists, only the elements that were added or removed."""
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
    """A difference as a JSON object; for a changed entry, with only the changed fields."""

    change: str
    loc: str | None = None
    id: str | None = None
    old: Entry | None = None
    new: Entry | None = None


def _json(differences: Iterable[Difference], result: ComparisonResult) -> Iterator[str]:
    for difference in differences:
        entry = difference.entry
        name = {"loc": entry.loc} if entry.loc else {"id": entry.id}
        line = _DiffLine(difference.change, **name, old=difference.old, new=difference.new)
        if difference.fields:
            line.old, line.new = (
                Entry(**{field: getattr(side, field) for field in difference.fields})
                for side in (difference.old, difference.new)
            )
        yield f"{msgspec.json.encode(line).decode()}\n"


# ---- reports

#: Kind of difference -> heading.
_HEADINGS = {"added": "Added URLs", "removed": "Removed URLs", "changed": "Changed URLs"}
#: Maximum number of differences of a kind in a report.
_MAX_ROWS = 1000
#: The same in Markdown: GitHub does not show a job summary of more than 1 MiB.
_MAX_MARKDOWN_ROWS = 150


def _first_of_each_kind(
    differences: Iterable[Difference], limit: int
) -> dict[str, list[Difference]]:
    """Read all differences; return at most `limit` of each kind that occurs."""
    first: dict[str, list[Difference]] = {kind: [] for kind in _HEADINGS}
    for difference in differences:
        if len(found := first[difference.change]) < limit:
            found.append(difference)
    return {kind: found for kind, found in first.items() if found}


def _counts(result: ComparisonResult) -> list[str]:
    return [f"{result.changes[kind]:,} {kind}" for kind in _HEADINGS]


def _caveats(result: ComparisonResult) -> Iterator[str]:
    if result.has_errors():
        yield "A source could not be read completely, so that differences are missing or wrong."
    if fields := sorted(result.comparison.uncompared & set(result.fields)):
        yield f"Not compared (missing in one of the formats): {', '.join(fields)}."


def _rest(kind: str, shown: Collection[Difference], result: ComparisonResult) -> str:
    """Return a line about the differences of a kind that are not shown; empty if all are."""
    left = result.changes[kind] - len(shown)
    return f"{pluralize(left, 'other')} not shown." if left else ""


def _markdown(differences: Iterable[Difference], result: ComparisonResult) -> Iterator[str]:
    from sitemapx.cli.reports.markdown import escape_text, format_code

    first = _first_of_each_kind(differences, _MAX_MARKDOWN_ROWS)
    yield f"## Sitemap comparison: {', '.join(_counts(result))}\n\n"
    old, new = map(format_code, map(source_name, result.sources))
    yield f"{old} → {new}, {result.comparison.same:,} unchanged.\n"
    if result.rewrites:
        yield f"\nOld URLs were rewritten: {', '.join(map(format_code, result.rewrites))}.\n"
    for caveat in _caveats(result):
        yield f"\n{caveat}\n"
    for kind, found in first.items():
        yield f"\n### {_HEADINGS[kind]}\n\n"
        for difference in found:
            changes = escape_text("; ".join(_changes(difference)))
            yield f"- {format_code(_name(difference))}{': ' * bool(changes)}{changes}\n"
        if rest := _rest(kind, found, result):
            yield f"\n{rest}\n"


def _html(differences: Iterable[Difference], result: ComparisonResult) -> Iterator[str]:
    from sitemapx.cli.reports.html.figures import HtmlElement, Row, table, tag
    from sitemapx.cli.reports.html.page import (
        Part,
        build_tile,
        build_time,
        link_url,
        render_page,
    )

    first = _first_of_each_kind(differences, _MAX_ROWS)
    names = [
        tag("li", f"{side}: ", tag("code", source_name(source)))
        for side, source in zip(("Old", "New"), result.sources, strict=True)
    ]
    names += [tag("li", "Old URLs rewritten: ", tag("code", rule)) for rule in result.rewrites]
    header = tag(
        "header",
        tag("h1", "Sitemap comparison"),
        tag("p", "Compared on ", build_time(), ":"),
        tag("ul", *names, class_="names"),
        *(tag("p", caveat, class_="error") for caveat in _caveats(result)),
    )

    def main() -> Iterator[Part]:
        tiles = map(build_tile, [*_counts(result), f"{result.comparison.same:,} unchanged"])
        same = [] if first else [tag("p", "No differences.", class_="fine")]
        summary = tag("h2", "Summary", id="summary")
        yield tag(
            "section", summary, tag("ul", *tiles, class_="tiles"), *same, aria_labelledby="summary"
        )
        for kind, found in first.items():
            heading = tag("h2", _HEADINGS[kind], id=kind)
            count = tag("summary", pluralize(result.changes[kind], "URL"))
            rest = _rest(kind, found, result)
            notes = [tag("p", rest)] if rest else []
            content = tag("details", count, build_table(kind, found), *notes, open="")
            yield tag("section", heading, content, aria_labelledby=kind)

    def build_table(kind: str, found: Iterable[Difference]) -> HtmlElement:
        rows: list[Row] = []
        for difference in found:
            loc = difference.entry.loc
            name = link_url(loc) if loc else _name(difference)
            changes = [tag("div", change) for change in _changes(difference)]
            rows.append((name, tag("div", *changes)) if changes else (name,))
        return table(_HEADINGS[kind], ["URL", "Changes"][: len(rows[0])], rows)

    title = ", ".join(_counts(result))
    yield from render_page(f"{title} - sitemapx diff", header, main())


FORMATS = {"text": _text, "json": _json, "html": _html, "markdown": _markdown}
