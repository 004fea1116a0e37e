"""Tables on standard output: plain text in columns, and sentences below the rows on a terminal."""

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

import click

__all__ = ["print_table", "table_lines"]

_INDENT = "    "


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, details: int = 0) -> None:
    """
    Print a table; no cell is cut or broken.

    Args:
        details: How many of the last columns are sentences, for which a terminal has no room: there
            they stand below their row.

    """
    for line in table_lines(head, rows, details=details if sys.stdout.isatty() else 0):
        click.echo(line)


def table_lines(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, details: int = 0
) -> Iterator[str]:
    """
    Write a table.

    Args:
        details: How many of the last columns stand below their row.

    """
    columns = len(head) - details
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = zip(row[:columns], widths, strict=False)
        yield "  ".join(cell.ljust(width) for cell, width in cells).rstrip()
        for detail in row[columns:] if row is not head else ():
            if detail != "-":
                yield _wrapped(detail)


def _wrapped(text: str) -> str:
    """Indent a sentence, in lines that are as wide as the terminal, and break no word."""
    return textwrap.fill(
        text,
        width=shutil.get_terminal_size().columns,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
