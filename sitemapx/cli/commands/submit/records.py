"""Formats records of the journal and of search engines as tables, JSON, or an HTML page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click
from msgspec import json

from sitemapx.cli.options.types import ENGINE_NAMES
from sitemapx.cli.terminal.tables import table_lines
from sitemapx.convert.values.uris import normalize
from sitemapx.convert.values.urls import without_user
from sitemapx.submit.journal.journal import Journal, default_path, read_journal
from sitemapx.submit.settings import load_settings

engines_option = click.option(
    "--engine",
    "engines",
    type=ENGINE_NAMES,
    multiple=True,
    metavar="NAME",
    help="Only this search engine. Repeatable.",
)


#: Key of a value in an object, or function that returns the cell for the object.
Column = str | Callable[[Mapping[str, Any]], str]


class Records(NamedTuple):
    """
    Records of one kind, as a table or as JSON.

    Attributes:
        title: Heading of the records on an HTML page.
        columns: Columns of the table, by their headings.
        objects: The records as JSON objects.
        details: Number of last columns that a narrow terminal shows below each row.

    """

    title: str
    columns: Mapping[str, Column]
    objects: Sequence[Mapping[str, Any]]
    details: int = 0

    @property
    def rows(self) -> list[list[str]]:
        return [[_cell(item, column) for column in self.columns.values()] for item in self.objects]


def _cell(record: Mapping[str, Any], column: Column) -> str:
    if callable(column):
        return column(record)
    value = record[column]
    if isinstance(value, int):
        return f"{value:,}"
    return str(value or "-")


def write_records(
    records: Sequence[Records], report: str, write: Callable[[str], object], *, is_narrow: bool
) -> None:
    """
    Write records, one kind after the other.

    Args:
        report: Format of the report: text, json or html.
        is_narrow: Whether to print details below their row, as on a narrow terminal.

    """
    if report == "html":
        for text in _page(records):
            write(text)
        return
    for number, listing in enumerate(records):
        if report == "json":
            lines: Iterator[str] = (json.encode(found).decode() for found in listing.objects)
        else:
            write("\n" * bool(number))
            lines = table_lines(
                list(listing.columns), listing.rows, details=listing.details * is_narrow
            )
        for line in lines:
            write(f"{line}\n")


def _page(records: Sequence[Records]) -> Iterator[str]:
    from sitemapx.cli.reports.html.figures import table, tag
    from sitemapx.cli.reports.html.page import Part, build_time, render_page

    def cell(text: str) -> Any:
        return tag("span", text, class_="url") if text.startswith("http") else text

    def main() -> Iterator[Part]:
        for listing in records:
            head = [name.capitalize().replace("Url", "URL") for name in listing.columns]
            rows: Any = [list(map(cell, row)) for row in listing.rows]
            content = table(listing.title, head, rows) if rows else tag("p", "Nothing.")
            yield tag("section", tag("h2", listing.title), _scrollable(listing.title, content))

    def _scrollable(title: str, content: Any) -> Any:
        """Wrap a wide table in an element that scrolls sideways, including by keyboard."""
        return tag("div", content, class_="wide", role="region", tabindex=0, aria_label=title)

    header = tag("header", tag("h1", "Submission status"), tag("p", "As of ", build_time(), "."))
    yield from render_page("Submission status - sitemapx submit", header, main())


def journal_path(journal: str | None, config: str | None) -> str:
    return journal or load_settings(config).journal or default_path()


def open_journal_or_exit(path: str) -> Journal:
    """Open the journal for reading; if missing or empty, print a message and exit with status 0."""
    if journal := read_journal(path):
        return journal
    click.echo(f"nothing submitted yet (journal: {path})", err=True)
    raise click.exceptions.Exit(0)


def url_in_journal(url: str) -> str:
    """Return a URL as the journal stores it: normalized and without credentials."""
    return normalize(without_user(url))
