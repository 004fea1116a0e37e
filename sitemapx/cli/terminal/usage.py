"""Messages of usage errors."""

import click

from sitemapx.convert.values.words import join_words
from sitemapx.errors import UnknownNameError


def usage_message(error: click.ClickException) -> str:
    """Return the message of a click error; a usage error of a command refers to the help."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return plain(error.format_message())
    advice = f"see `{context.command_path} --help`"
    if isinstance(error, click.NoSuchOption):
        return str(UnknownNameError("option", error.option_name, _options(context), advice))
    return f"{_message_of(error, context)}; {advice}"


def plain(message: str) -> str:
    """Return a message of click in our style: without initial capital and full stop."""
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
