"""
Write the path of the journal as an output of a step, so that other steps can cache it.

The path is that of `--journal` in INPUT_ARGS, of the settings, or the default.
"""

import os
import shlex
from argparse import ArgumentParser

from sitemapx.cli.commands.submit.records import journal_path
from sitemapx.submit.journal.journal import default_path


def _path_of(args: str) -> str:
    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--journal")
    parser.add_argument("--config")
    try:
        options, _ = parser.parse_known_args(shlex.split(args))
        return os.path.abspath(journal_path(options.journal, options.config))
    except Exception:  # noqa: BLE001 - the command itself reports invalid arguments and settings
        return default_path()


if __name__ == "__main__":
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.write(f"path<<end-of-path\n{_path_of(os.environ['INPUT_ARGS'])}\nend-of-path\n")
