"""Helpers for the tests of `check --live`."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from sitemapx.check.checker import check
from sitemapx.check.findings import Finding
from sitemapx.check.live.settings import Live
from sitemapx.check.result import CheckResult
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.rules.registry import RULES
from sitemapx.convert.http.fetcher import Fetcher
from tests.servers import Answer

__all__ = ["HTML", "PAGE", "check_live"]

HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = Answer(b"<!DOCTYPE html><title>A page</title>", headers=HTML)
_CODES = {code for code, rule in RULES.items() if rule.requires == "live"}


def check_live(
    sources: list[Path],
    agent: str = "*",
    fetcher: Fetcher | None = None,
    without: Collection[str] = ("live-canonical-missing",),
    **how: Any,
) -> tuple[CheckResult, list[Finding]]:
    """
    Check the pages listed in sources; return the result and the findings of `--live`.

    Args:
        sources: Paths of the sources.
        agent: Name of a crawler.
        fetcher: Fetches the pages; None for the default one.
        without: Disabled codes; most pages in tests have no canonical URL.
        how: Other settings of `Live`.

    """
    fetcher = fetcher or Fetcher(allow_private=True, retries=0)
    findings: list[Finding] = []
    with fetcher:
        result = check(
            map(str, sources),
            codes=_CODES - set(without),
            robots=RobotsTexts(agents=[agent], fetcher=fetcher),
            live=Live(fetcher=fetcher, **how),
            report=findings.append,
        )
    return result, findings
