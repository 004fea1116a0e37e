"""Tables on standard output, and messages of click in the style of other errors."""

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
    Print a table; cells are neither cut nor wrapped.

    Args:
        details: Number of last columns with sentences, which a terminal shows below their rows.

    """
    for line in table_lines(head, rows, details=details if sys.stdout.isatty() else 0):
        click.echo(line)


def table_lines(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, details: int = 0
) -> Iterator[str]:
    """Yield the lines of a table, with the last `details` columns below their rows."""
    columns = len(head) - details
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = zip(row[:columns], widths, strict=False)
        yield "  ".join(cell.ljust(width) for cell, width in cells).rstrip()
        for detail in row[columns:] if row is not head else ():
            if detail != "-":
                yield _wrapped(detail)


def _wrapped(text: str) -> str:
    """Wrap and indent a sentence to the width of the terminal."""
    return textwrap.fill(
        text,
        width=shutil.get_terminal_size().columns,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


# ---- usage errors


def usage_message(error: click.ClickException) -> str:
    """Return the message of a click error, with a reference to the help."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return plain(error.format_message())
    advice = f"see `{context.command_path} --help`"
    if isinstance(error, click.NoSuchOption):
        return str(UnknownNameError("option", error.option_name, _options(context), advice))
    return f"{_message_of(error, context)}; {advice}"


def plain(message: str) -> str:
    """Return a click message without its initial capital and full stop."""
    message = message.rstrip(".")
    return f"{message[0].lower()}{message[1:]}" if message[1:2].islower() else message


def _message_of(error: click.ClickException, context: click.Context) -> str:
    param = error.param if isinstance(error, click.BadParameter) else None
    if isinstance(error, click.MissingParameter) and isinstance(param, click.Argument):
        return _missing_argument_message(param, context)
    if isinstance(param, click.Option):
        name = next((opt for opt in param.opts if opt.startswith("--")), param.opts[0])
        return f"{name}: {plain(error.message)}"
    return plain(error.format_message())


def _missing_argument_message(missing: click.Argument, context: click.Context) -> str:
    if choices := getattr(missing.type, "choices", None):
        wanted = join_words(choices, "or")
    else:
        arguments = [
            _name_of(param) for param in context.command.params if isinstance(param, click.Argument)
        ]
        wanted = join_words(arguments, "and")
    return f"missing {_name_of(missing)}: pass {wanted}"


def _name_of(argument: click.Argument) -> str:
    """Return the name of an argument as in the help, without brackets and dots."""
    return (argument.metavar or str(argument.name).upper()).strip("[].")


def _options(context: click.Context) -> list[str]:
    return [
        name
        for param in context.command.get_params(context)
        if isinstance(param, click.Option) and not param.hidden
        for name in (*param.opts, *param.secondary_opts)
    ]
