"""
The command line: commands, their options, reports and messages.

To start fast, `sitemapx --version` imports no command, and a command only what it uses. May import
`sitemapx.check` and the layers below it.
"""

import atexit
import gc
import sys
from collections.abc import Sequence

from sitemapx import __version__

__all__ = ["main"]

#: Number of new objects between garbage collections; high, as most objects of modules are kept.
_GC_THRESHOLD = 100_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit status; `argv` excludes the program name."""
    if argv is None:
        gc.set_threshold(_GC_THRESHOLD)
        atexit.register(gc.freeze)  # skips the garbage collection at exit
    args = list(sys.argv[1:] if argv is None else argv)
    from sitemapx.cli.terminal.streams import forgive_stderr, name_stdout, replace_closed

    replace_closed()
    forgive_stderr()
    name_stdout()
    from sitemapx.cli.terminal.errors import run_guarded

    return run_guarded(lambda: _run(args), debug="--debug" in args)


def _run(args: list[str]) -> int:
    match args:
        case ["-V" | "--version"]:
            print(f"sitemapx {__version__}")
            return 0
        case ["robots", "add" | "remove" as name, path, _, *_] if "-" not in {a[:1] for a in args}:
            # Importing the parser would take longer than the edit.
            from sitemapx.cli.commands.robots.edits import edit

            return edit(name, path, args[3:])
    from sitemapx.cli.app import run

    return run(args)
