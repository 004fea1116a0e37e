"""The table of known crawlers."""

import re

from sitemapx.submit.robots.crawlers import CRAWLERS, PURPOSES, crawler_access
from sitemapx.submit.robots.file import RobotsFile


def test_crawlers_are_distinct_and_documented() -> None:
    tokens = [crawler.token.lower() for crawler in CRAWLERS]

    assert len(set(tokens)) == len(tokens)
    assert set(PURPOSES) == {crawler.purpose for crawler in CRAWLERS}
    for crawler in CRAWLERS:
        assert crawler.source.startswith("https://")
        assert re.fullmatch(r"20\d\d-[01]\d", crawler.as_of)


def test_own_group_of_a_crawler_counts_first() -> None:
    robots = RobotsFile(b"User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nAllow: /\n")
    found = {one.crawler.token: one for one in crawler_access(robots, "https://e.example/a")}

    assert [crawler.token for crawler in CRAWLERS] == list(found)
    assert ["Googlebot"] == [token for token, one in found.items() if one.is_allowed]
    assert (2, "Disallow: /") == (found["GPTBot"].rule or (0, ""))[:2]
    assert all(one.is_allowed for one in crawler_access(RobotsFile(b""), "https://e.example/"))


def test_tokens_match_as_a_whole() -> None:
    text = b"User-agent: Applebot\nUser-agent: Claude\nUser-agent: gptbot/1.2\nDisallow: /\n"
    found = {
        one.crawler.token
        for one in crawler_access(RobotsFile(text), "https://e.example/")
        if not one.is_allowed
    }

    assert {"Applebot", "GPTBot"} == found
