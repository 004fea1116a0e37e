"""Runs the command line for `python -m sitemapx`."""

import sys

from sitemapx.cli import main

if __name__ == "__main__":  # not in a worker process
    sys.exit(main())
