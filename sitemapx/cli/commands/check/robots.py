"""The robots.txt files that `sitemapx check` looks at, and the crawlers that it reads them for."""

import os
from collections.abc import Sequence
from typing import Any

from sitemapx.check.profiles import PROFILES
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.cli.terminal.groups import given_in
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.sources.source import local_path
from sitemapx.errors import UsageError

__all__ = ["robots_of"]


def robots_of(
    sources: Sequence[str], options: dict[str, Any], fetcher: Fetcher | None
) -> RobotsTexts:
    """
    Return the robots.txt files of the sources, as the options say.

    Raises:
        InputError: If --robots cannot be read.
        UsageError: If --agent is given, but there is no robots.txt, nor a page, for a crawler.

    """
    robots, engine = options["robots"], options["engine"]
    is_useful = robots or options["fetch"] or options["live"] or not all(map(_is_here, sources))
    if not is_useful and "--agent" in given_in("Findings"):
        raise UsageError("--agent requires --robots, --live, or a SOURCE that is fetched")
    agents = options["agents"] or ([PROFILES[engine].agent] if engine else ["*"])
    return RobotsTexts(robots, agents, fetcher)


def _is_here(source: str) -> bool:
    """Return whether a source is standard input, or is on disk."""
    return source == "-" or os.path.lexists(local_path(source) or "")
