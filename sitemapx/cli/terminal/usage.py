"""Wrong usage of the command line, in the form of all other errors."""

import click

from sitemapx.convert.values.words import joined
from sitemapx.errors import UnknownNameError

__all__ = ["plain", "usage_message"]


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
        wanted = joined(choices, "or")
    else:
        arguments = [one for one in context.command.params if isinstance(one, click.Argument)]
        wanted = joined([_name_of(one) for one in arguments], "and")
    return f"missing {_name_of(missing)}: pass {wanted}"


def _name_of(argument: click.Argument) -> str:
    """Return the name of an argument in the help, without what says how often it may come."""
    return (argument.metavar or str(argument.name).upper()).strip("[].")


def _options(context: click.Context) -> list[str]:
    """List the options of a command."""
    options = (one for one in context.command.get_params(context) if isinstance(one, click.Option))
    shown = (one for one in options if not one.hidden)
    return [name for one in shown for name in (*one.opts, *one.secondary_opts)]
