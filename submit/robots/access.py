"""
Access rules of a robots.txt for crawlers, as evaluated by Protego.

Protego handles groups, precedence, wildcards and escapes (RFC 9309, section 2.2).
This module also finds the line that causes a result, by evaluating parts of the file, and is faster
for many URLs: URLs that cannot match any rule are excluded in bulk.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from protego import Protego

from sitemapx.convert.values import urls
from sitemapx.submit.robots.file import MAX_SIZE, RobotsFile

#: A rule with a value: key, separator, and path. Protego accepts some misspellings of Disallow, and
#: a space instead of the colon.
_rule = re.compile(r"\s*+(allow|d[a-z-]*+)(\s*+:\s*+|\s++)([^#\s][^#]*+)", re.IGNORECASE).match
#: Line breaks of `str.splitlines`, which Protego uses, but not of RFC 9309.
_other_ends = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
#: Splits a pattern into parts that every matching URL contains exactly; see `_needles`.
_parts = re.compile(r"%[0-9A-Fa-f]{2}|[%*$]|[^\x21-\x7e]+|/(?=\?)").split
#: Beginnings of escapes in a URL that may represent a character of such a part.
_ESCAPES = [[f"%{digit}"] for digit in "234567"]
#: Number of plain paths from which it is faster to let Protego match them all at once.
_MANY = 50
#: Maximum number of runs of rules in which the rules of a crawler are searched; more would take
#: seconds.
_MANY_RUNS = 2_000


class AccessRule(NamedTuple):
    """An Allow or Disallow line: number (from 1), text without comment, and path."""

    line: int
    text: str
    path: str
    is_allow: bool


class RobotsRules:
    """
    The rules of a robots.txt (`protego`) for crawlers (`agents`) that share them.

    Args:
        rules: The lines with these rules; None if unknown.

    """

    def __init__(
        self, protego: Protego, agents: Sequence[str], rules: Sequence[AccessRule] | None
    ) -> None:
        self.agents = agents
        self._protego = protego
        self._is_known = rules is not None
        self._allows = [rule.text for rule in rules or () if rule.is_allow]
        # Sorted by specificity, as the most specific rule takes precedence.
        disallows = (rule for rule in rules or () if not rule.is_allow)
        self._disallows = sorted(disallows, key=lambda rule: -len(rule.path))
        self._needles = [_needles(rule.path) for rule in self._disallows]
        plain = sum("*" not in rule.path for rule in self._disallows)
        self._is_sifting = self._is_known and plain < _MANY and all(self._needles)
        self._part = lru_cache(maxsize=64)(self._parse_part)

    def disallowed(self, locs: Sequence[str]) -> list[str]:
        """Return those of the absolute URLs `locs` that these crawlers may not fetch."""
        return [loc for loc in self._suspects(locs) if not self._allow(self._protego, loc)]

    def _suspects(self, locs: Sequence[str]) -> Iterable[str]:
        """Return the URLs that a Disallow rule may match; most others are excluded in bulk."""
        if self._is_known and not self._disallows:
            return ()
        if not self._is_sifting:
            return locs
        text = "\n".join(locs)
        # Protego removes tabs and line breaks anywhere in a URL.
        if "\t" in text or "\r" in text or text.count("\n") >= len(locs):
            return locs
        suspects: set[str] = set()
        for needles in (*self._needles, *_ESCAPES):
            if all(needle in text for needle in needles):
                some = locs
                for needle in needles:
                    some = [loc for loc in some if needle in loc]
                suspects.update(some)
        return [loc for loc in locs if loc in suspects] if suspects else ()

    def _allow(self, protego: Protego, url: str) -> bool:
        try:
            return protego.can_fetch(url, self.agents[0])
        except ValueError:  # invalid host, so the URL cannot be fetched
            return True

    def find_rule(self, url: str) -> AccessRule | None:
        """Return the Disallow line that applies to a disallowed URL; None if unknown."""
        low, high = 0, len(self._disallows)  # bisection, as Protego does not name the rule
        while high - low > 1:
            middle = (low + high) // 2
            if self._allow(self._part(low, middle), url):
                low = middle
            else:
                high = middle
        return self._disallows[low] if self._is_known else None

    def _parse_part(self, low: int, high: int) -> Protego:
        """Parse the Disallow lines in a range of indexes, with all Allow lines, as one group."""
        some = (rule.text for rule in self._disallows[low:high])
        return Protego.parse("\n".join(["User-agent: *", *self._allows, *some]))


def rules_of(robots: RobotsFile, agents: Iterable[str]) -> list[RobotsRules]:
    """
    Return the rules for these crawlers.

    Crawlers with the same rules share an object. With more than 2,000 runs of consecutive rules,
    each crawler has its own object, without the lines of the rules.
    """
    text = bytes(robots)[:MAX_SIZE].decode("utf-8-sig", urls.PERCENT_ENCODED)
    lines = _other_ends.sub(_escape, text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    protego = Protego.parse("\n".join(lines))
    runs, marked = _runs(lines)
    if len(runs) > _MANY_RUNS:
        return [RobotsRules(protego, [agent], None) for agent in dict.fromkeys(agents)]
    together: dict[tuple[int, ...], list[str]] = {}
    for agent in dict.fromkeys(agents):
        held = (n for n in range(len(runs)) if not marked.can_fetch(f"https://_/{n}/", agent))
        together.setdefault(tuple(held), []).append(agent)
    return [
        RobotsRules(protego, names, [rule for n in held for rule in runs[n]])
        for held, names in together.items()
    ]


def _runs(lines: Sequence[str]) -> tuple[list[list[AccessRule]], Protego]:
    """Return the runs of consecutive rules, and a parsed file in which run N disallows `/N/`."""
    runs: list[list[AccessRule]] = []
    marked, is_inside = list(lines), False
    for at, line in enumerate(lines):
        m = _rule(line)
        is_allow = m is not None and m[1].lower() == "allow"
        if m and (is_allow or _disallows(m[1].lower())):
            if not is_inside:
                runs.append([])
            marked[at] = f"Disallow{m[2]}" + f"/{len(runs) - 1}/" * (not is_inside)
            text = line.partition("#")[0].strip()
            runs[-1].append(AccessRule(at + 1, text, m[3].strip(), is_allow))
            is_inside = True
        elif line.partition("#")[0].strip():
            is_inside = False
    return runs, Protego.parse("\n".join(marked))


@lru_cache
def _disallows(key: str) -> bool:
    """Return whether Protego reads a key as Disallow, including some misspellings."""
    return not Protego.parse(f"User-agent: *\n{key}: /").can_fetch("https://_/", "*")


def _escape(m: re.Match[str]) -> str:
    return quote(m[0])


def _needles(path: str) -> list[str]:
    """
    Return substrings that every absolute URL matched by a rule contains, longest first.

    Protego compares rule and URL after it has normalized the escapes in both. A run of ASCII
    characters between `*`, `$` and escapes in a pattern then also occurs in the URL, unless the URL
    escapes one of them (see `_ESCAPES`), or the run begins with a possible end of an escape. The
    slash before a query may be missing in a URL without a path. Substrings of `https://` are
    omitted.
    """
    parts = {part.lstrip("0123456789ABCDEF") for part in _parts(path)}
    return sorted((part for part in parts if part not in "https://"), key=len, reverse=True)
