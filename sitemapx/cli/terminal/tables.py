"""Tables on standard output: plain text in columns, and sentences below the rows on a terminal."""

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

import click

from sitemapx.convert.values.words import join_words
from sitemapx.errors import UnknownNameError

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


# ---- wrong usage of the command line, in the form of all other errors


def usage_message(error: click.ClickException) -> str:
    """Return the message of an error of click, with where to look it up."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return plain(error.format_message())
    advice = f"see `{context.command_path} --help`"
    if isinstance(error, click.NoSuchOption):
        return str(UnknownNameError("option", error.option_name, _options(context), advice))
    return f"{_message_of(error, context)}; {advice}"


def plain(message: str) -> str:
    """Return a message of click without its capital letter and its full stop."""
    message = message.rstrip(".")
    return f"{message[0].lower()}{message[1:]}" if message[1:2].islower() else message


def _message_of(error: click.ClickException, context: click.Context) -> str:
    param = error.param if isinstance(error, click.BadParameter) else None
    if isinstance(error, click.MissingParameter) and isinstance(param, click.Argument):
        return _missing(param, context)
    if isinstance(param, click.Option):
        name = next((opt for opt in param.opts if opt.startswith("--")), param.opts[0])
        return f"{name}: {plain(error.message)}"
    return plain(error.format_message())


def _missing(missing: click.Argument, context: click.Context) -> str:
    """Name what is missing, and what to pass."""
    if choices := getattr(missing.type, "choices", None):
        wanted = join_words(choices, "or")
    else:
        arguments = [one for one in context.command.params if isinstance(one, click.Argument)]
        wanted = join_words([_name_of(one) for one in arguments], "and")
    return f"missing {_name_of(missing)}: pass {wanted}"


def _name_of(argument: click.Argument) -> str:
    """Return the name of an argument in the help, without what says how often it may come."""
    return (argument.metavar or str(argument.name).upper()).strip("[].")


def _options(context: click.Context) -> list[str]:
    """List the options of a command."""
    options = (one for one in context.command.get_params(context) if isinstance(one, click.Option))
    shown = (one for one in options if not one.hidden)
    return [name for one in shown for name in (*one.opts, *one.secondary_opts)]
