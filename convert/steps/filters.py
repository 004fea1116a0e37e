"""Steps that leave entries out."""

import fnmatch
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Literal

from sitemapx.convert.disk.spill import Seen
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.steps.step import Step, each
from sitemapx.convert.values import clock, uris, w3cdate
from sitemapx.convert.values.words import counted, several
from sitemapx.errors import UnknownNameError, UsageError

__all__ = ["exclude", "include", "since", "since_test", "unique"]

Matcher = Callable[[str], object]

# ---- by URL


def include(patterns: Iterable[str]) -> Step:
    """
    Keep only the entries whose URL matches one of the patterns.

    A pattern is a glob: `*` matches anything, including slashes, `?` a single character, and
    `[abc]` one of these characters. It must match the whole URL or, if it begins with a slash,
    everything after the host. A pattern that begins with `re:` is a regular expression and may
    match anywhere in the URL.

    Args:
        patterns: Globs such as `/blog/*`, or regular expressions such as `re:[.]pdf$`.

    Raises:
        UsageError: If a regular expression is invalid.

    """
    matches = _any_of(patterns)
    return each("include", lambda batch: batch.select(matches(batch)), {"loc"})


def exclude(patterns: Iterable[str]) -> Step:
    """
    Skip entries whose URL matches one of the patterns.

    Args:
        patterns: Globs or regular expressions; see `include`.

    Raises:
        UsageError: If a regular expression is invalid.

    """
    matches = _any_of(patterns)
    return each(
        "exclude",
        lambda batch: batch.select(not found for found in matches(batch)),
        {"loc"},
    )


def _any_of(patterns: Iterable[str]) -> Callable[[Batch], Iterator[bool]]:
    matchers = list(map(matcher, several("patterns", patterns)))

    def matches(batch: Batch) -> Iterator[bool]:
        locs = batch.locs()
        none = [False] * len(locs)
        return map(any, zip(none, *(map(one, locs) for one in matchers), strict=True))

    return matches


def matcher(pattern: str) -> Matcher:
    """
    Make the function that tells whether a URL matches.

    Raises:
        UsageError: If this is no regular expression; it says where.

    >>> [bool(matcher("/blog/*")(f"https://example.com/{path}")) for path in ("blog/a?b", "b")]
    [True, False]

    """
    if not pattern.startswith("re:"):
        host = r"[^/]*//[^/?#]*" if pattern.startswith("/") else ""
        return re.compile(host + fnmatch.translate(pattern)).match
    expression = pattern.removeprefix("re:")
    try:
        with warnings.catch_warnings(action="ignore"):  # of what a later Python reads otherwise
            return re.compile(expression).search
    except re.error as error:
        where = f" at character {error.pos + 1}" if error.pos is not None else ""
        raise UsageError(
            f"{expression!r} is not a regular expression: {error.msg}{where}"
        ) from error
    except (OverflowError, RecursionError) as error:
        raise UsageError(f"{expression!r} is not a regular expression: {error}") from error


# ---- by date


def since(when: str) -> Step:
    """
    Skip entries that have not changed since a date.

    Entries without a date are skipped, too, and reported as `undated`. The date of an entry is its
    `lastmod`, else `published`. A date without a time, day or month counts as the end of its day,
    month or year, so that no entry is skipped that may have changed.

    Args:
        when: W3C Datetime, or an age in hours, days or weeks such as "36h", "7d" or "2w".

    Raises:
        UsageError: If this is neither a date nor an age.

    """
    is_since = since_test(when)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        undated = 0
        for batch in batches:
            pairs = zip(batch.column("lastmod"), batch.column("published"), strict=True)
            found = [lastmod or published for lastmod, published in pairs]
            undated += found.count(None)
            if selected := batch.select(date and is_since(date) for date in found):
                yield selected
        if undated:
            reporter.problem(
                "undated", f"{counted(undated, 'entry', 'entries')} without a date; skipped"
            )

    return Step("since", run, {"lastmod", "published"})


def since_test(when: str) -> Callable[[str], bool]:
    """
    Make the function that tells whether a W3C Datetime is then or later; see `since`.

    Raises:
        UsageError: If this is neither a date nor an age.

    """
    first = moment_of(when)
    text = first.isoformat()

    def is_since(date: str) -> bool:
        return date >= text[: len(date)] if len(date) <= 10 else w3cdate.moment(date) >= first

    return is_since


def moment_of(when: str) -> datetime:
    """
    Find the moment, in UTC, that a date or an age means.

    Raises:
        UsageError: If it is neither.

    """
    try:
        if age := clock.age(when):
            return w3cdate.moment(clock.now()) - age
        if w3cdate.is_w3c(when):
            return w3cdate.moment(when).astimezone(UTC)
    except OverflowError:  # before the year 1
        pass
    raise UsageError(f"{when!r} is not a date (such as 2024-05-08) or an age (such as 7d)")


# ---- by what was there before


def unique(fields: Iterable[Literal["loc", "id"]] = ("loc",)) -> Step:
    """
    Skip entries whose URL or ID occurred in an earlier entry; duplicate IDs are reported.

    URLs are compared after normalization. The URL stands in for a missing ID.

    Args:
        fields: Fields that must be unique: "loc", "id" or both.

    Raises:
        UnknownNameError: If this is another field.

    """
    fields = tuple(several("fields", fields))
    for field in fields:
        if field not in _KEYS:
            raise UnknownNameError("field", field, _KEYS)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        same = 0
        with closing(Seen()) as seen:
            for batch in batches:
                selected = batch
                for field in fields:
                    before, selected = selected, selected.select(seen.add(_KEYS[field](selected)))
                    same += (len(before) - len(selected)) * (field == "id")
                if selected:
                    yield selected
        if same:
            reporter.problem(
                "duplicate", f"{counted(same, 'entry', 'entries')} with a duplicate ID; skipped"
            )

    return Step("unique", run, {"loc", *fields})


def _locs(batch: Batch) -> Iterable[str | None]:
    locs = uris.normals(batch.locs())
    return locs if all(locs) else [loc or None for loc in locs]


def _ids(batch: Batch) -> Iterable[str | None]:
    pairs = zip(batch.column("id"), batch.column("loc"), strict=True)
    return [f"id {own or loc}" if own or loc else None for own, loc in pairs]


_KEYS = {"loc": _locs, "id": _ids}
