"""
The command line: commands, their options, reports and messages.

Start-up counts: `sitemapx --version` imports nothing, and each command only what it uses. May
import `sitemapx.check`, `sitemapx.submit`, `sitemapx.convert` and `sitemapx.settingsfile`.
"""

import atexit
import gc
import sys
from collections.abc import Sequence

from sitemapx import __version__

__all__ = ["main"]

_WINDOWS = (
    "sitemapx: error: Windows is not supported: run sitemapx on Linux or macOS, or under Windows "
    "in WSL (https://learn.microsoft.com/windows/wsl)"
)
#: Cycles are looked for after so many new objects: most of those that modules make stay.
_GARBAGE = 100_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; `argv` is without the name of the program. Return the exit status."""
    if argv is None:
        gc.set_threshold(_GARBAGE)
        atexit.register(gc.freeze)  # the process ends with this: nothing is to be freed one by one
    args = list(sys.argv[1:] if argv is None else argv)
    from sitemapx.cli.terminal.streams import forgive_stderr, name_stdout, replace_closed

    replace_closed()
    forgive_stderr()
    name_stdout()
    if sys.platform.startswith("win"):  # no locks of folders, no forks, other rules for renaming
        print(_WINDOWS, file=sys.stderr)
        return 2
    from sitemapx.cli.terminal.errors import guarded

    return guarded(lambda: _run(args), debug="--debug" in args)


def _run(args: list[str]) -> int:
    match args:
        case ["-V" | "--version"]:
            print(f"sitemapx {__version__}")
            return 0
        case ["robots", "add" | "remove" as name, path, _, *_] if "-" not in {a[:1] for a in args}:
            # Without options there is nothing to parse, and the parser takes longer than the edit.
            from sitemapx.cli.commands.robots.edits import edit

            return edit(name, path, args[3:])
    from sitemapx.cli.app import run

    return run(args)
