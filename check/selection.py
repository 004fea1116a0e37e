"""Selection of rules, and the severity of each for a search engine."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from sitemapx.check.findings import SEVERITIES
from sitemapx.check.rules.registry import RULES
from sitemapx.convert.model.problems import Severity
from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.optionnames import option

#: Code of sources that could not be read.
NOTHING_READ = "unreadable"


def codes_of(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> frozenset[str]:
    """
    Return the codes of the rules that match the patterns.

    Args:
        select: Codes, or globs such as `hreflang-*`; empty for all codes. Codes of unreadable
            sources are added.
        ignore: Codes or globs to exclude; `unreadable` cannot be excluded.

    Raises:
        UnknownNameError: If a pattern matches no code.
        UsageError: If `ignore` excludes all selected rules.

    Examples:
        >>> sorted(codes_of(["bad-d*"], ["listed-*"]))
        ['bad-date', 'bad-duration', 'path-unreadable', 'unreadable', 'web-page', 'zip']

    """
    selected, ignored = matching_codes(select or ["*"]), matching_codes(ignore)
    if selected <= ignored:
        names = option("ignore"), option("select")
        raise UsageError(f"no rules left to check: {names[0]} disables all of {names[1]}")
    return (selected | UNCHECKED) - (ignored - {NOTHING_READ})


#: Unchecked sources must not count as passed because other rules are selected.
UNCHECKED = {
    NOTHING_READ,
    "zip",
    "web-page",
    "listed-sitemap-failed",
    "listed-sitemap-unchecked",
    "path-unreadable",
}


def matching_codes(patterns: Iterable[str]) -> frozenset[str]:
    """
    Return the codes that match any of the patterns.

    Raises:
        UnknownNameError: If a pattern matches no code.

    """
    from fnmatch import filter as matching

    found: set[str] = set()
    for pattern in patterns:
        codes = matching(RULES, pattern)
        if not codes:
            raise UnknownNameError(
                "rule", pattern, RULES, "`sitemapx check --list` shows all rules"
            )
        found.update(codes)
    return frozenset(found)


#: Severities of a rule in settings; "off" disables it.
Level = Literal["error", "warning", "note", "off"]
LEVELS: tuple[Level, ...] = (*SEVERITIES, "off")


def levels_by_code(levels: Sequence[tuple[str, Level]]) -> dict[str, Level]:
    """
    Return the severity of each code from pairs of a code or glob and its severity.

    A code overrides the globs that match it; otherwise, later pairs override earlier ones.

    Raises:
        UnknownNameError: If a pattern matches no code.

    Examples:
        >>> levels_by_code([("bad-date", "note"), ("bad-d*", "error")])["bad-date"]
        'note'

    """
    found: dict[str, Level] = {}
    for pattern, level in sorted(levels, key=lambda pair: pair[0] in RULES):
        found.update(dict.fromkeys(matching_codes([pattern]), level))
    return found


# ---- profiles of search engines

_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/sitemaps"


class ProfileRule(NamedTuple):
    """Override of a rule for one search engine; the severity None disables the rule."""

    code: str
    severity: Severity | None
    why: str


class Profile(NamedTuple):
    """
    Documented rules of a search engine.

    Attributes:
        agent: Name of the crawler in robots.txt.
        source: URL of the documentation.
        differences: Rules that have another severity, or do not apply.
        ignores_markup: Whether the search engine reads only the URLs and dates of feeds, so that
            the markup of feeds is not validated.

    """

    agent: str
    source: str
    differences: tuple[ProfileRule, ...]
    ignores_markup: bool = False


_IGNORED = "Priority and changefreq are ignored."
_READ = "Of a feed, only the URL and the date of each item are read."
_FEEDS = (ProfileRule("feed-incomplete", None, _READ), ProfileRule("feed-date", None, _READ))
_OTHERS = "Deprecated by Google only; does not apply to this search engine."

#: Search engines by name, with the rules whose severity differs from that of the protocol.
PROFILES: Mapping[str, Profile] = {
    "google": Profile(
        "Googlebot",
        f"{_GOOGLE}/build-sitemap",
        (
            ProfileRule("bad-priority", "note", _IGNORED),
            ProfileRule("bad-changefreq", "note", _IGNORED),
            ProfileRule("same-priority", None, _IGNORED),
            ProfileRule("extension-order", None, "The order of extension tags does not matter."),
            ProfileRule("date-format", None, "All forms of W3C Datetime are read."),
            ProfileRule("date-precision", None, "All forms of W3C Datetime are read."),
            ProfileRule("empty", "warning", "An empty news sitemap is accepted, with a warning."),
            ProfileRule(
                "outside-directory",
                "note",
                "A sitemap submitted in Search Console may list any page of the site.",
            ),
            ProfileRule("item-without-date", "warning", _READ),
            *_FEEDS,
        ),
        ignores_markup=True,
    ),
    "bing": Profile(
        "Bingbot",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
        (
            ProfileRule("bad-priority", "note", _IGNORED),
            ProfileRule("bad-changefreq", "note", _IGNORED),
            ProfileRule("same-priority", None, _IGNORED),
            ProfileRule("deprecated", None, _OTHERS),
            *_FEEDS,
        ),
        ignores_markup=True,
    ),
    "yandex": Profile(
        "YandexBot",
        "https://yandex.com/support/webmaster/en/controlling-robot/sitemap",
        (ProfileRule("deprecated", None, _OTHERS),),
    ),
}


def severities(
    engine: str | None, changed: Mapping[str, Severity] = MappingProxyType({})
) -> dict[str, Severity]:
    """
    Return the severity of each code that applies, by the protocol or a search engine.

    Args:
        engine: Name of the search engine; None for the protocol.
        changed: Severities that override the defaults, by code.

    Raises:
        UnknownNameError: If there is no profile of the engine.

    """
    if engine and engine not in PROFILES:
        raise UnknownNameError("engine", engine, PROFILES)
    others = {f"engine {name}" for name in PROFILES if name != engine}
    applied = {code: rule for code, rule in RULES.items() if rule.requires not in others}
    found: dict[str, Severity] = {code: rule.severity for code, rule in applied.items()}
    for code, severity, _ in PROFILES[engine].differences if engine else ():
        if severity:
            found[code] = severity
        else:
            del found[code]
    found.update((code, level) for code, level in changed.items() if code in applied)
    return found
