"""Known crawlers of search engines and AI services, and whether they may fetch a page."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sitemapx.submit.robots.access import AccessRule, RobotsRules, rules_of
from sitemapx.submit.robots.file import RobotsFile

#: Purpose -> its meaning.
PURPOSES = {
    "search": "index of a search engine",
    "AI search": "index for answers of an AI service",
    "AI training": "data to train models, or their use by products",
    "AI user": "pages that a user of an AI service requests",
}


class KnownCrawler(NamedTuple):
    """
    A crawler that its operator documents.

    Attributes:
        token: Name of the crawler in robots.txt.
        purpose: A key of `PURPOSES`.
        source: URL of the documentation.
        as_of: Month in which the documentation was read, such as `2025-11`.

    """

    token: str
    operator: str
    purpose: str
    source: str
    as_of: str


_GOOGLE = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
_OPENAI = "https://developers.openai.com/api/docs/bots"
_ANTHROPIC = (
    "https://support.anthropic.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-"
    "and-how-can-site-owners-block-the-crawler"
)
_AMAZON = "https://developer.amazon.com/amazonbot"
_APPLE = "https://support.apple.com/en-us/119829"
_META = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
_PERPLEXITY = "https://docs.perplexity.ai/guides/bots"
_YANDEX = "https://yandex.com/support/webmaster/en/robot-workings/robots-use"
_DUCKDUCKGO = "https://duckduckgo.com/duckduckgo-help-pages/results"

#: Matches a User-agent line: the part before the value, and the value.
_pattern = re.compile(
    rb"^((?:\xef\xbb\xbf)?[ \t]*user-?agent[ \t]*:[ \t]*)([^#\r\n]*)", re.IGNORECASE | re.MULTILINE
)
_agent_lines, _rename = _pattern.finditer, _pattern.sub

CRAWLERS = (
    KnownCrawler("Googlebot", "Google", "search", _GOOGLE, "2025-11"),
    KnownCrawler(
        "Bingbot",
        "Microsoft",
        "search",
        "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
        "2025-11",
    ),
    KnownCrawler("Applebot", "Apple", "search", _APPLE, "2025-11"),
    KnownCrawler(
        "Baiduspider",
        "Baidu",
        "search",
        "https://help.baidu.com/question?prod_id=99&class=476&id=2996",
        "2025-11",
    ),
    KnownCrawler("DuckDuckBot", "DuckDuckGo", "search", f"{_DUCKDUCKGO}/duckduckbot", "2025-11"),
    KnownCrawler(
        "SeznamBot",
        "Seznam",
        "search",
        "https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/",
        "2025-11",
    ),
    KnownCrawler(
        "Yeti",
        "Naver",
        "search",
        "https://searchadvisor.naver.com/guide/seo-basic-robots",
        "2025-11",
    ),
    KnownCrawler("YandexBot", "Yandex", "search", _YANDEX, "2025-11"),
    KnownCrawler("OAI-SearchBot", "OpenAI", "AI search", _OPENAI, "2026-04"),
    KnownCrawler("Claude-SearchBot", "Anthropic", "AI search", _ANTHROPIC, "2026-02"),
    KnownCrawler("PerplexityBot", "Perplexity", "AI search", _PERPLEXITY, "2025-11"),
    KnownCrawler(
        "DuckAssistBot", "DuckDuckGo", "AI search", f"{_DUCKDUCKGO}/duckassistbot", "2025-11"
    ),
    KnownCrawler("Amzn-SearchBot", "Amazon", "AI search", _AMAZON, "2026-04"),
    KnownCrawler("Meta-WebIndexer", "Meta", "AI search", _META, "2026-04"),
    KnownCrawler("GPTBot", "OpenAI", "AI training", _OPENAI, "2026-04"),
    KnownCrawler("ClaudeBot", "Anthropic", "AI training", _ANTHROPIC, "2026-02"),
    KnownCrawler("Google-Extended", "Google", "AI training", _GOOGLE, "2025-11"),
    KnownCrawler("Applebot-Extended", "Apple", "AI training", _APPLE, "2025-11"),
    KnownCrawler("meta-externalagent", "Meta", "AI training", _META, "2025-11"),
    KnownCrawler(
        "CCBot", "Common Crawl", "AI training", "https://commoncrawl.org/ccbot", "2025-11"
    ),
    KnownCrawler("Amazonbot", "Amazon", "AI training", _AMAZON, "2026-04"),
    KnownCrawler("ChatGPT-User", "OpenAI", "AI user", _OPENAI, "2026-04"),
    KnownCrawler("Claude-User", "Anthropic", "AI user", _ANTHROPIC, "2026-02"),
    KnownCrawler("Perplexity-User", "Perplexity", "AI user", _PERPLEXITY, "2025-11"),
    KnownCrawler("Google-CloudVertexBot", "Google", "AI user", _GOOGLE, "2026-04"),
    KnownCrawler("Amzn-User", "Amazon", "AI user", _AMAZON, "2026-04"),
    KnownCrawler("meta-externalfetcher", "Meta", "AI user", _META, "2025-11"),
    KnownCrawler(
        "MistralAI-User", "Mistral AI", "AI user", "https://docs.mistral.ai/robots", "2025-11"
    ),
)


class CrawlerAccess(NamedTuple):
    """The access of a crawler to a page, and the line that disallows the page, if known."""

    crawler: KnownCrawler
    is_allowed: bool
    rule: AccessRule | None = None


def crawler_access(robots: RobotsFile, url: str) -> Iterator[CrawlerAccess]:
    """Yield whether each known crawler may fetch a page, in the order of `CRAWLERS`."""
    named = named_crawlers(robots)
    others: tuple[bool, AccessRule | None] | None = None
    for crawler in CRAWLERS:
        if crawler in named:
            access = _access(robots, crawler.token, url)
        else:
            access = others = others or _access(robots, "", url)
        yield CrawlerAccess(crawler, *access)


def named_crawlers(robots: RobotsFile) -> list[KnownCrawler]:
    """Return the known crawlers for which a robots.txt has a group."""
    named = {_product(m[2]) for m in _agent_lines(bytes(robots))}
    return [crawler for crawler in CRAWLERS if crawler.token.lower() in named]


def _access(robots: RobotsFile, token: str, url: str) -> tuple[bool, AccessRule | None]:
    """Return whether a crawler may fetch a page, and the line that disallows the page, if known."""
    rules = rules_of_crawler(robots, token)
    is_allowed = not rules.disallowed([url])
    return is_allowed, None if is_allowed else rules.find_rule(url)


def rules_of_crawler(robots: RobotsFile, token: str) -> RobotsRules:
    """
    Return the rules for a crawler; an empty token stands for a crawler without a group of its own.

    Groups of other crawlers are renamed first, since Protego applies a group whose name is only a
    part of that of the crawler; RFC 9309 (section 2.2.1) compares whole product tokens.
    """

    def renamed(m: re.Match[bytes]) -> bytes:
        name = _product(m[2])
        kept = b"*" if name == "*" else b"agent" if token and name == token.lower() else b"nobody"
        return m[1] + kept

    (rules,) = rules_of(RobotsFile(_rename(renamed, bytes(robots))), ["agent"])
    return rules


def _product(value: bytes) -> str:
    """Return the lower-case product token of a User-agent value: the name without a version."""
    return value.decode("utf-8", "replace").partition("/")[0].strip().lower()
