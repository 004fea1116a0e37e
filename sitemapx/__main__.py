"""Runs the command line for `python -m sitemapx`."""

import sys

from sitemapx.cli import main

sys.exit(main())
