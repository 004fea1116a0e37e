"""
The command line.

Start-up counts: `sitemapx --version` imports nothing, and each command what it uses.
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; `argv` is without the name of the program. Return the exit status."""
    if argv is None:  # the process ends with this: nothing is to be freed one by one
        atexit.register(gc.freeze)
    args = list(sys.argv[1:] if argv is None else argv)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        from sitemapx.cli.streams import replace_closed

        replace_closed()
    if sys.platform.startswith("win"):  # no locks of folders, no forks, other rules for renaming
        print(_WINDOWS, file=sys.stderr)
        return 2
    from sitemapx.cli.guard import guarded

    return guarded(lambda: _run(args), debug="--debug" in args)


def _run(args: list[str]) -> int:
    match args:
        case ["--version"]:
            print(f"sitemapx {__version__}")
            return 0
        case ["robots", "add" | "remove" as name, path, _, *_] if "-" not in {a[:1] for a in args}:
            # Without options there is nothing to parse, and the parser takes longer than the edit.
            from sitemapx.cli.edits import edit

            return edit(name, path, args[3:])
    from sitemapx.cli.app import run

    return run(args)
