"""The robots.txt of each checked site: given by the caller, or fetched."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.values import uris, urls
from sitemapx.errors import FetchError, InputError

if TYPE_CHECKING:
    from sitemapx.submit.robots.access import RobotsRules
    from sitemapx.submit.robots.file import RobotsFile


class RobotsText:
    """The sitemaps and the rules of one robots.txt."""

    def __init__(self, file: "RobotsFile", agents: Sequence[str]) -> None:
        self._file = file
        self._agents = agents

    @cached_property
    def _sitemaps(self) -> frozenset[str]:
        return frozenset(uris.canonicalize(line.url) for line in self._file.sitemaps())

    @cached_property
    def _rules(self) -> "list[RobotsRules]":
        from sitemapx.submit.robots.access import rules_of

        return rules_of(self._file, self._agents)

    def lists(self, sitemap: str) -> bool:
        """Return whether robots.txt lists this sitemap."""
        return uris.canonicalize(sitemap) in self._sitemaps

    def disallowed(self, locs: Sequence[str]) -> Iterator[tuple[str, str]]:
        """
        Yield each disallowed URL, and a message with the crawlers and, if known, the rule.

        A URL is yielded once for each group of crawlers that may not fetch it.
        """
        for rules in self._rules:
            for loc in rules.disallowed(locs):
                rule = rules.find_rule(loc)
                by = f" by line {rule.line}, `{rule.text}`" if rule else ""
                yield loc, f"disallowed for {', '.join(rules.agents)}{by}"


class RobotsTexts:
    """
    The robots.txt files that apply to the checked URLs.

    Args:
        given: Path or URL of a robots.txt. A local file applies to the site of the first sitemap.
            If `None`, the robots.txt of a site is fetched if its sitemap or its pages are.
        agents: Names of the crawlers to check for; `*` is any crawler without a group of its own.
        fetcher: Fetches robots.txt; None for a fetcher with default settings.

    Raises:
        InputError: If `given` cannot be read or is not a robots.txt.
        UsageError: If `given` is empty.

    """

    def __init__(
        self,
        given: str | None = None,
        agents: Sequence[str] = ("*",),
        fetcher: Fetcher | None = None,
    ) -> None:
        self.agents = agents
        self._fetcher = fetcher
        self._found: dict[str, RobotsText | None] = {}
        self._given: RobotsText | None = None
        self._home = ""
        if given is not None:
            from sitemapx.submit.robots.edit import load_robots_file

            self._given = RobotsText(load_robots_file(given, fetcher=fetcher), agents)
            self._home = urls.origin(given) if urls.is_absolute(given) else ""

    def text_for(self, origin: str, site: str, *, may_fetch: bool = False) -> RobotsText | None:
        """
        Return the robots.txt of an origin; None if it is unknown or could not be read.

        Args:
            origin: Origin of the URLs to check, such as `https://example.com`.
            site: Origin of the sitemap that lists these URLs.
            may_fetch: Whether to fetch a robots.txt that was not read before.

        """
        if self._given:
            self._home = self._home or site
            return self._given if origin == self._home else None
        if origin not in self._found and may_fetch:
            self._found[origin] = self._fetch(origin)
        return self._found.get(origin)

    def _fetch(self, origin: str) -> RobotsText | None:
        from sitemapx.submit.robots.file import RobotsFile

        fetcher = self._fetcher or Fetcher()
        try:
            data = fetcher.robots_text(f"{origin}/robots.txt")
            return RobotsText(RobotsFile(data), self.agents)
        except (FetchError, InputError):  # no readable robots.txt, no rules
            return None
