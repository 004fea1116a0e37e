"""What the tests of `check --live` share."""

from pathlib import Path
from typing import Any

from sitemapx.convert.checking import Checked, check
from sitemapx.convert.fetching import Fetcher
from sitemapx.convert.findings import Finding
from sitemapx.convert.live.settings import Live
from sitemapx.convert.rules.robotstxt import RobotsTexts
from sitemapx.convert.rules.table import RULES
from tests.servers import Answer

__all__ = ["HTML", "PAGE", "checked"]

HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = Answer(b"<!DOCTYPE html><title>A page</title>", headers=HTML)
_CODES = [code for code, rule in RULES.items() if rule.live]


def checked(
    sources: list[Path], agent: str = "*", fetcher: Fetcher | None = None, **how: Any
) -> tuple[Checked, list[Finding]]:
    """Check what servers answer; how patiently, the fetcher says."""
    fetcher = fetcher or Fetcher(allow_private=True, retries=0)
    found: list[Finding] = []
    with fetcher:
        result = check(
            map(str, sources),
            codes=_CODES,
            robots=RobotsTexts(agents=[agent]),
            live=Live(fetcher=fetcher, **how),
            report=found.append,
        )
    return result, found
