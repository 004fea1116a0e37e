"""Which codes are looked for."""

from collections.abc import Iterable, Sequence

from sitemapx.check.rules.registry import RULES
from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.optionnames import option

__all__ = ["NOTHING_READ", "UNCHECKED", "codes_of", "matching_codes"]

#: The code of a source of which nothing could be read.
NOTHING_READ = "unreadable"


def codes_of(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> frozenset[str]:
    """
    Return the codes of the rules that match the patterns.

    Args:
        select: Codes, or globs such as `hreflang-*`; empty for all codes. Codes of what cannot be
            read are always included.
        ignore: Codes or globs to exclude; not `unreadable`, as such a check did not take place.

    Raises:
        UnknownNameError: If a pattern matches no code.
        UsageError: If no code is left.

    Examples:
        >>> sorted(codes_of(["bad-*"], ["bad-[!d]*", "child-*"]))
        ['bad-date', 'bad-duration', 'unread', 'unreadable', 'web-page', 'zip']

    """
    wanted = matching_codes(select)
    selected = wanted | UNCHECKED if select else frozenset(RULES)
    left = selected - (matching_codes(ignore) - {NOTHING_READ})
    if left == {NOTHING_READ} or (select and left <= UNCHECKED and not wanted <= UNCHECKED):
        names = option("ignore"), option("select")
        raise UsageError(f"no rules left to check: {names[0]} disables all of {names[1]}")
    return left


#: What was not checked must not pass for good because somebody looks for something else.
UNCHECKED = {NOTHING_READ, "zip", "web-page", "child-failed", "child-unread", "unread"}


def matching_codes(patterns: Iterable[str]) -> frozenset[str]:
    """
    Find the codes that patterns name.

    Raises:
        UnknownNameError: If one names none.

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
