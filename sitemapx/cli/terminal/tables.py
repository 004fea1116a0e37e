"""Tables on standard output: of rich on a terminal, else plain text in columns."""

import sys
from collections.abc import Sequence

import click

__all__ = ["print_table"]


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, rich: bool = False) -> None:
    """
    Print a table.

    Args:
        rich: Whether it may be drawn, with lines that are folded, on a terminal.

    """
    if rich and sys.stdout.isatty():
        _print_rich(head, rows)
        return
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def _print_rich(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    columns = (Column(name, overflow="fold") for name in head)
    table = Table(*columns, header_style="bold", show_lines=True)
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)
