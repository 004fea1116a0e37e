"""Which codes are looked for."""

from collections.abc import Iterable, Sequence

from sitemapx.check.rules.registry import RULES
from sitemapx.errors import UnknownNameError, UsageError

__all__ = ["codes_of"]


def codes_of(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> frozenset[str]:
    """
    Choose codes.

    Args:
        select: Codes or globs such as `hreflang-*`, besides those for what cannot be read; none:
            all codes.
        ignore: The same, to leave out.

    Raises:
        UsageError: If there is no such code, or none is left.

    >>> sorted(codes_of(["bad-*"], ["bad-[!d]*", "child-*"]))
    ['bad-date', 'bad-duration', 'unread', 'unreadable', 'web-page', 'zip']

    """
    selected = _matching(select) | _ALWAYS if select else frozenset(RULES)
    left = selected - _matching(ignore)
    if not left or (select and left <= _ALWAYS and not _matching(select) <= _ALWAYS):
        raise UsageError("nothing is left to look for: --ignore takes away all of --select")
    return left


#: What was not checked must not pass for good because somebody looks for something else.
_ALWAYS = {"unreadable", "zip", "web-page", "child-failed", "child-unread", "unread"}


def _matching(patterns: Iterable[str]) -> frozenset[str]:
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
