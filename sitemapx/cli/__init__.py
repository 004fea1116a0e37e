"""
The command line.

Start-up counts: `sitemapx --version` imports nothing, and each command what it uses.
"""

import sys
from collections.abc import Sequence

from sitemapx import __version__

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; `argv` is without the name of the program. Return the exit status."""
    args = list(sys.argv[1:] if argv is None else argv)
    if args == ["--version"]:
        print(f"sitemapx {__version__}")
        return 0
    from sitemapx.cli.app import run

    return run(args)
