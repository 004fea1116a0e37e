"""The check that `submit` makes of a set before it sends anything."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sitemapx.check.findings import Finding
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.problems import PROBLEMS

if TYPE_CHECKING:
    from sitemapx.check.checker import Checking

__all__ = ["checking_for"]


def checking_for(fetcher: Fetcher, report: Callable[[Finding], object]) -> "Checking":
    """
    Make what checks a set while it is read.

    It looks for whatever `sitemapx check` calls an error, but for what robots.txt disallows, of
    which `objections` knows more, and hosts that only this network knows, as an endpoint may;
    and takes what is no error but must be told, for it was read otherwise than it is written.

    Args:
        fetcher: Fetches the robots.txt of other hosts, which may allow the set to list them.
        report: Called with what is found.

    """
    from sitemapx.check.checker import Checking
    from sitemapx.check.robotsfiles import RobotsTexts
    from sitemapx.check.rules.registry import RULES
    from sitemapx.check.rules.robots import Robots

    errors = {code for code, rule in RULES.items() if rule.severity == "error"}
    codes = (errors | PROBLEMS.keys()) - Robots.rules.keys() - {"loc-local"}
    return Checking(codes, robots=RobotsTexts(fetcher=fetcher), report=report)
