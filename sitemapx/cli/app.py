"""The top-level group of commands."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from sitemapx import __version__
from sitemapx.cli.options.types import advise, option_name
from sitemapx.cli.terminal.console import Console, has_colour
from sitemapx.cli.terminal.errors import notes_of
from sitemapx.cli.terminal.groups import LazyGroup
from sitemapx.cli.terminal.usage import usage_message
from sitemapx.errors import OutputClosedError
from sitemapx.optionnames import adapt_advice, use_option_names

#: Command -> (module, one line of help). The module is imported when the command is called.
COMMANDS = {
    "convert": (
        "sitemapx.cli.commands.convert",
        "Convert sitemaps, feeds and URL lists.",
    ),
    "check": (
        "sitemapx.cli.commands.check.command",
        "Validate sitemaps, feeds and URL lists.",
    ),
    "diff": ("sitemapx.cli.commands.diff.command", "Compare two sitemaps, feeds or URL lists."),
    "stats": ("sitemapx.cli.commands.stats", "Count hosts, directories, dates, languages, media."),
    "robots": (
        "sitemapx.cli.commands.robots.command",
        "Edit the Sitemap lines of robots.txt, and check the file.",
    ),
    "submit": (
        "sitemapx.cli.commands.submit.command",
        "Submit changed URLs and sitemaps to search engines.",
    ),
    "publish": (
        "sitemapx.cli.publish.command",
        "Build, check, publish and submit the sitemaps of a site.",
    ),
    "engines": ("sitemapx.cli.commands.engines", "List search engines and what they accept."),
    "init": (
        "sitemapx.cli.commands.init.command",
        "Create a sitemapx.toml (site and search engines).",
    ),
    "settings": ("sitemapx.cli.commands.settings", "Show the settings and where they are from."),
    "formats": ("sitemapx.cli.commands.formats", "List formats and the fields they support."),
    "completion": ("sitemapx.cli.commands.completion", "Print a shell completion script."),
}


#: Common misnomer -> command to suggest.
_SYNONYMS = {
    "build": "convert",
    "generate": "convert",
    "lint": "check",
    "validate": "check",
    "verify": "check",
    "fix": "check --fix",
    "repair": "check --fix",
    "compare": "diff",
    "count": "stats",
    "statistics": "stats",
    "notify": "submit",
    "ping": "submit",
    "deploy": "publish",
    "config": "settings",
}


class _Program(LazyGroup):
    """The group `sitemapx`; converts broken output pipes to errors before click handles them."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        with _closed_pipe_as_error():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _closed_pipe_as_error():
            return super().invoke(ctx)


@contextmanager
def _closed_pipe_as_error() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosedError("output was closed by its reader") from error


@click.command(
    cls=_Program,
    lazy=COMMANDS,
    synonyms=_SYNONYMS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Help for a command: sitemapx help COMMAND",
)
@click.version_option(
    __version__, "-V", "--version", prog_name="sitemapx", message="%(prog)s %(version)s"
)
@click.option("--debug", is_flag=True, help="Show the Python traceback of an error.")
def sitemapx(debug: bool) -> None:
    """Convert, validate, repair, compare and submit sitemaps."""


def run(args: Sequence[str]) -> int:
    """Run a command with click, and return the exit status; usage errors are printed."""
    if args[:1] == ["help"]:
        args = [*args[1:], "--help"]
    colour = has_colour(sys.stdout)
    try:
        with use_option_names(option_name), adapt_advice(advise):
            status = sitemapx.main(
                list(args), prog_name="sitemapx", standalone_mode=False, color=colour
            )
    except click.exceptions.NoArgsIsHelpError as error:
        error.show(sys.stderr)
        return error.exit_code
    except click.ClickException as error:
        Console.current.print_error(usage_message(error) + notes_of(error))
        return error.exit_code
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    return int(status or 0)
