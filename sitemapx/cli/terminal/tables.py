"""Prints tables to standard output."""

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

import click

_INDENT = "    "


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, details: int = 0) -> None:
    """
    Print a table; cells are not truncated.

    Args:
        details: Number of last columns, with sentences, that a terminal shows below their rows.

    """
    for line in table_lines(head, rows, details=details if sys.stdout.isatty() else 0):
        click.echo(line)


def table_lines(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, details: int = 0
) -> Iterator[str]:
    """Yield the lines of a table; the last `details` columns, unless `-`, are below their rows."""
    columns = len(head) - details
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = zip(row[:columns], widths, strict=False)
        yield "  ".join(cell.ljust(width) for cell, width in cells).rstrip()
        for detail in row[columns:] if row is not head else ():
            if detail != "-":
                yield _wrap(detail)


def _wrap(text: str) -> str:
    return textwrap.fill(
        text,
        width=shutil.get_terminal_size().columns,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
