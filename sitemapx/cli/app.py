"""The group of commands, and what becomes of errors: one line, and the right exit status."""

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import NoReturn

import click

from sitemapx import __version__
from sitemapx.cli.console import Console
from sitemapx.errors import InputError, OutputClosedError, SitemapxError, UsageError

__all__ = ["run"]

#: Command -> (module, one line of help). The module is imported when the command is called.
COMMANDS = {
    "convert": (
        "sitemapx.cli.convert",
        "Convert sitemaps, indexes, feeds and lists into each other.",
    ),
    "diff": ("sitemapx.cli.diff", "Compare two sitemaps, feeds or lists."),
    "robots": ("sitemapx.cli.robots", "Keep the Sitemap lines of robots.txt right."),
    "formats": ("sitemapx.cli.formats", "List the formats and what they hold."),
    "completion": ("sitemapx.cli.completion", "Print the completion script of a shell."),
}


class _Commands(click.Group):
    """Imports a command when it is called; the overview needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Documentation of a command: sitemapx COMMAND --help",
)
@click.version_option(__version__, prog_name="sitemapx", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the Python traceback of an error.")
def sitemapx(debug: bool) -> None:
    """Convert between everything that search engines accept as a sitemap."""


def run(args: Sequence[str]) -> int:
    """Run a command; whatever goes wrong ends here."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        status = sitemapx.main(list(args), prog_name="sitemapx", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show(sys.stderr)
        return error.exit_code
    except click.exceptions.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        print("sitemapx: interrupted", file=sys.stderr)
        return 130
    except (OutputClosedError, BrokenPipeError):
        _forget_stdout()
        return 128 + signal.SIGPIPE
    except Exception as error:
        if "--debug" in args:
            raise
        return _explain(error)
    return int(status or 0)


def _explain(error: Exception) -> int:
    """Tell in one line what went wrong, and give the exit status."""
    source = line = None
    if isinstance(error, InputError):
        message, source, line = error.message, error.source, error.line
    elif isinstance(error, SitemapxError):
        message = str(error)
    elif isinstance(error, OSError):
        message = ": ".join(str(part) for part in (error.filename, error.strerror) if part)
    elif isinstance(error, MemoryError):
        message = "out of memory"
    else:
        kind = type(error).__name__
        message = f"a defect of sitemapx: {kind}: {error}; `sitemapx --debug …` tells where"
    if isinstance(error, OSError):
        _forget_stdout()
    Console.current.failed(message, source=source, line=line)
    return 2 if isinstance(error, UsageError) else Console.current.trouble


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    """End as after Ctrl-C, so that nothing half-made stays behind."""
    raise SystemExit(128 + number)


def _forget_stdout() -> None:
    """Keep Python from writing the rest of the output at exit, and failing again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
