"""
The table of all rules, and the checks that every run may use.

`checker` adds the checks of published pages, of the built site and of required URLs.
"""

from collections.abc import Mapping

from sitemapx.check.api import Check
from sitemapx.check.findings import Rule
from sitemapx.check.live.rules import BUILT_RULES, LIVE_RULES
from sitemapx.check.rules.container import Container
from sitemapx.check.rules.dates import DatesAndPriorities
from sitemapx.check.rules.duplicates import Duplicates
from sitemapx.check.rules.engines import SearchEngines
from sitemapx.check.rules.escaping import Escaping
from sitemapx.check.rules.extensions import Extensions
from sitemapx.check.rules.feedmarkup import RULES as FEED_RULES
from sitemapx.check.rules.feeds import Feeds
from sitemapx.check.rules.languages import Languages, ReturnLinks
from sitemapx.check.rules.reader import RULES as READER_RULES
from sitemapx.check.rules.required import RULES as REQUIRED_RULES
from sitemapx.check.rules.responses import Responses
from sitemapx.check.rules.robots import Robots
from sitemapx.check.rules.scope import Scope
from sitemapx.check.rules.urls import Addresses

#: The checks, in the order in which they are applied.
CHECKS: tuple[type[Check], ...] = (
    *(Container, Addresses, Escaping, Scope, Duplicates, DatesAndPriorities),
    *(Extensions, Languages, ReturnLinks, Feeds, Robots, Responses, SearchEngines),
)

#: All rules, by their codes.
RULES: Mapping[str, Rule] = {
    **READER_RULES,
    **FEED_RULES,
    **{code: rule for check in CHECKS for code, rule in check.rules.items()},
    **BUILT_RULES,
    **REQUIRED_RULES,
    **LIVE_RULES,
}
