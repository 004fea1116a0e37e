"""The function `sitemapx.submit(…)`, which runs the command."""

import logging
import re
from collections.abc import Iterable

import click

from sitemapx.cli.commands.submit.command import command, run
from sitemapx.cli.commands.submit.connections import DryRun
from sitemapx.cli.options.types import option_name
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.usage import usage_message
from sitemapx.convert.model.problems import Problem, log
from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.optionnames import adapt_advice, use_option_names
from sitemapx.submit.outcome import Outcome

_logger = logging.getLogger("sitemapx")


class _LoggingConsole(Console):
    def print_problem(self, problem: Problem) -> None:
        self.problems[problem.code] += problem.times
        log(problem)

    def say(self, line: str) -> None:
        _logger.info("%s", line)

    def notice(self, line: str) -> None:
        _logger.info("%s", line)

    def show_progress(self, entries: int, size: int, total: int | None) -> None:
        pass


def submit(sources: Iterable[str], options: dict[str, object]) -> list[Outcome]:
    """Run `sitemapx submit`; the function in `sitemapx.public` describes arguments and errors."""
    try:
        context = command.make_context("submit", [*_words(options), "--", *sources])
    except click.ClickException as error:
        message = usage_message(error).removesuffix("; see `submit --help`")
        raise UsageError(_name_keywords(message)) from None
    params = context.params
    outcomes: list[Outcome] = []
    dry_run = DryRun(print_request=_logger.info)
    with use_option_names(_keyword_argument), adapt_advice(_name_keywords):
        try:
            run(params.pop("sources"), params, _LoggingConsole(), dry_run, outcomes.append)
        except UsageError as error:
            error.args = (_name_keywords(str(error)),)
            raise
    return outcomes


def _keyword(option: str) -> str:
    name = option.removeprefix("--").replace("-", "_")
    return "format" if name == "from" else name  # Python reserves `from`


def _name_keywords(text: str) -> str:
    """
    Replace the options in a text with their keywords, except in commands between backticks.

    >>> _name_keywords("pass --no-wait, or run `sitemapx submit --all`")
    'pass `no_wait`, or run `sitemapx submit --all`'
    """
    parts = text.split("`")
    parts[::2] = [_option.sub(lambda m: f"`{_keyword(m[0])}`", part) for part in parts[::2]]
    return "`".join(parts)


_option = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def _keyword_argument(name: str, value: str) -> str:
    option = option_name(name).partition(" ")[0]
    keyword = _keyword(option)
    return f"`{keyword}={value}`" if value else f"`{keyword}`"


def _words(options: dict[str, object]) -> Iterable[str]:
    pairs = ((word, param) for param in command.params for word in param.opts)
    known = {_keyword(word): (word, param) for word, param in pairs if word.startswith("--")}
    for name, value in options.items():
        if name not in known:
            raise UnknownNameError("option", name, sorted(known))
        option, param = known[name]
        is_flag = isinstance(param, click.Option) and param.is_flag
        for item in value if isinstance(value, list | tuple) else [value]:
            if is_flag and not isinstance(item, bool | None):
                raise UsageError(f"`{name}` is {item!r}: pass True or False")
            if item is True:
                yield option
            elif item is not None and item is not False:
                yield f"{option}={item}"
