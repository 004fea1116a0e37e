"""The function `sitemapx.submit(…)`, which runs the command."""

import logging
from collections.abc import Iterable

import click

from sitemapx.cli.commands.submit.command import command, run
from sitemapx.cli.commands.submit.connections import DryRun
from sitemapx.cli.options.types import option_name
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.usage import usage_message
from sitemapx.convert.model.problems import Problem, log
from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.optionnames import use_option_names
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
        raise UsageError(usage_message(error)) from None
    params = context.params
    outcomes: list[Outcome] = []
    dry_run = DryRun(print_request=_logger.info)
    with use_option_names(_keyword_argument):
        run(params.pop("sources"), params, _LoggingConsole(), dry_run, outcomes.append)
    return outcomes


def _keyword_argument(name: str, value: str) -> str:
    option = option_name(name).partition(" ")[0]
    keyword = option.removeprefix("--").replace("-", "_")
    return f"`{keyword}={value}`" if value else f"`{keyword}`"


def _words(options: dict[str, object]) -> Iterable[str]:
    words = (word for param in command.params for word in param.opts)
    known = {word[2:].replace("-", "_") for word in words if word.startswith("--")}
    for name, value in options.items():
        if name not in known:
            raise UnknownNameError("option", name, sorted(known))
        option = f"--{name.replace('_', '-')}"
        for item in value if isinstance(value, list | tuple) else [value]:
            if item is True:
                yield option
            elif item is not None and item is not False:
                yield f"{option}={item}"
