"""The public names of `sitemapx.check`, imported on first use."""

from sitemapx.check.api import Check, CheckContext
from sitemapx.check.checker import check
from sitemapx.check.findings import Finding, Rule
from sitemapx.check.fix.fixer import FixableFile, FixResult, fix_file
from sitemapx.check.live.settings import Live
from sitemapx.check.result import CheckResult
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.rules.builtsite import BuiltSite
from sitemapx.check.rules.registry import RULES
from sitemapx.check.rules.required import Required
from sitemapx.check.selection import PROFILES, codes_of
from sitemapx.check.view import File

__all__ = [
    "PROFILES",
    "RULES",
    "BuiltSite",
    "Check",
    "CheckContext",
    "CheckResult",
    "File",
    "Finding",
    "FixResult",
    "FixableFile",
    "Live",
    "Required",
    "RobotsTexts",
    "Rule",
    "check",
    "codes_of",
    "fix_file",
]
