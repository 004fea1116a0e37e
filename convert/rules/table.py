"""The one table of all codes that a check may find, and what looks for them."""

from collections.abc import Mapping

from sitemapx.convert.findings import Rule
from sitemapx.convert.rules import live, reading, schema
from sitemapx.convert.rules.addresses import Addresses
from sitemapx.convert.rules.check import Check
from sitemapx.convert.rules.container import Container
from sitemapx.convert.rules.duplicates import Duplicates
from sitemapx.convert.rules.extensions import Extensions
from sitemapx.convert.rules.feeds import Feeds
from sitemapx.convert.rules.languages import Languages
from sitemapx.convert.rules.returnlinks import ReturnLinks
from sitemapx.convert.rules.robots import Robots
from sitemapx.convert.rules.scope import Scope
from sitemapx.convert.rules.values import Values

__all__ = ["CHECKS", "RULES"]

#: What looks at the files; in this order.
CHECKS: tuple[type[Check], ...] = (
    *(Container, Addresses, Scope, Duplicates, Values),
    *(Extensions, Languages, ReturnLinks, Feeds, Robots),
)

RULES: Mapping[str, Rule] = {
    **reading.RULES,
    **schema.RULES,
    **{code: rule for check in CHECKS for code, rule in check.rules.items()},
    **live.RULES,
}
