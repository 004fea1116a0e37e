"""The robots.txt of each site that is checked: the one that is given, or what is there."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.values import urls
from sitemapx.errors import FetchError, InputError

if TYPE_CHECKING:
    from sitemapx.submit.robots.access import RobotsRules
    from sitemapx.submit.robots.file import RobotsFile

__all__ = ["RobotsText", "RobotsTexts"]


class RobotsText:
    """The sitemaps and the rules of one robots.txt."""

    def __init__(self, file: "RobotsFile", agents: Sequence[str]) -> None:
        self._file = file
        self._agents = agents

    @cached_property
    def _sitemaps(self) -> frozenset[str]:
        return frozenset(urls.canonical(line.url) for line in self._file.sitemaps())

    @cached_property
    def _rules(self) -> "list[RobotsRules]":
        from sitemapx.submit.robots.access import rules_of

        return rules_of(self._file, self._agents)

    def lists(self, sitemap: str) -> bool:
        """Return whether it names this sitemap."""
        return urls.canonical(sitemap) in self._sitemaps

    def disallowed(self, locs: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Return each URL that a crawler may not fetch, and for whom and why not in words."""
        for rules in self._rules:
            for loc in rules.disallowed(locs):
                rule = rules.against(loc)
                by = f" by line {rule.line}, `{rule.text}`" if rule else ""
                yield loc, f"disallowed for {', '.join(rules.agents)}{by}"


class RobotsTexts:
    """
    The robots.txt of each origin.

    Attributes:
        agents: The crawlers that are judged for.

    """

    def __init__(
        self,
        given: str | None = None,
        agents: Sequence[str] = ("*",),
        fetcher: Fetcher | None = None,
    ) -> None:
        """
        Take what is known.

        Args:
            given: A path or URL. A file is that of the first site that is asked for; without it,
                that of each site is fetched if the sitemap was fetched, too.
            fetcher: Fetches them; one with the usual settings, if none is given.

        Raises:
            InputError: If the one that is given cannot be read, or is none.

        """
        self.agents = agents
        self._fetcher = fetcher
        self._found: dict[str, RobotsText | None] = {}
        self._given: RobotsText | None = None
        self._home = ""
        if given is not None:
            from sitemapx.submit.robots.edit import load

            self._given = RobotsText(load(given, fetcher=fetcher), agents)
            self._home = urls.origin(given) if urls.is_absolute(given) else ""

    def of(self, origin: str, site: str, *, may_fetch: bool = False) -> RobotsText | None:
        """
        Return the robots.txt of an origin; None where it is not known, or there is none.

        Args:
            site: The origin of the sitemap for which it is asked.

        """
        if self._given:
            self._home = self._home or site
            return self._given if origin == self._home else None
        if origin not in self._found and may_fetch:
            self._found[origin] = self._fetched(origin)
        return self._found.get(origin)

    def _fetched(self, origin: str) -> RobotsText | None:
        from sitemapx.submit.robots.file import RobotsFile

        fetcher = self._fetcher or Fetcher()
        try:
            data = fetcher.robots_text(f"{origin}/robots.txt")
            return RobotsText(RobotsFile(data), self.agents)
        except (FetchError, InputError):  # no robots.txt, no rules
            return None
