"""Steps that skip entries: by URL or date, duplicates, or all but a certain number."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import repeat
from operator import itemgetter
from random import Random
from typing import Literal

from sitemapx.convert.disk.spill import DigestSet
from sitemapx.convert.model.batch import Batch, batched
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.steps.step import Step, each
from sitemapx.convert.values import uris
from sitemapx.convert.values.clock import since_test
from sitemapx.convert.values.urls import matcher
from sitemapx.convert.values.words import pluralize, require_count, require_list, require_text
from sitemapx.errors import UnknownNameError

# ---- by URL


def include(patterns: Iterable[str]) -> Step:
    """
    Keep only the entries whose URL matches one of the patterns.

    A pattern is a glob: `*` matches anything, including slashes, `?` a single character, and
    `[abc]` one of these characters. It must match the entire URL or, if it begins with a slash,
    everything after the host. A pattern that begins with `re:` is a regular expression and may
    match anywhere in the URL.

    Args:
        patterns: Globs such as `/blog/*`, or regular expressions such as `re:[.]pdf$`.

    Raises:
        UsageError: If a regular expression is invalid, or a glob begins unlike any URL.

    """
    matches = _any_of(patterns)
    return each("include", lambda batch: batch.select(matches(batch)), {"loc"})


def exclude(patterns: Iterable[str]) -> Step:
    """
    Skip entries whose URL matches one of the patterns.

    Args:
        patterns: Globs or regular expressions; see `include`.

    Raises:
        UsageError: If a regular expression is invalid, or a glob begins unlike any URL.

    """
    matches = _any_of(patterns)
    return each(
        "exclude", lambda batch: batch.select(not is_match for is_match in matches(batch)), {"loc"}
    )


def _any_of(patterns: Iterable[str]) -> Callable[[Batch], Iterator[bool]]:
    matchers = list(map(matcher, require_list("patterns", patterns)))

    def matches(batch: Batch) -> Iterator[bool]:
        locs = batch.locs()
        none = [False] * len(locs)
        return map(
            any, zip(none, *(map(matches_one, locs) for matches_one in matchers), strict=True)
        )

    return matches


# ---- by date


def since(when: str) -> Step:
    """
    Skip entries that have not changed since a date.

    Entries without a date are skipped as well, and reported as `undated`. The date of an entry is
    its `lastmod`, else `published`. A date without a time, day or month counts as the end of its
    day, month or year, so that no entry is skipped that may have changed.

    Args:
        when: W3C Datetime, or an age in hours, days or weeks such as "36h", "7d" or "2w".

    Raises:
        UsageError: If `when` is neither a date nor an age.

    """
    require_text("when", when, "2026-01-01")
    is_since = since_test(when)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        undated = 0
        for batch in batches:
            pairs = zip(batch.column("lastmod"), batch.column("published"), strict=True)
            dates = [lastmod or published for lastmod, published in pairs]
            undated += dates.count(None)
            if selected := batch.select(date and is_since(date) for date in dates):
                yield selected
        if undated:
            reporter.problem(
                "undated", f"{pluralize(undated, 'entry', 'entries')} without a date; skipped"
            )

    return Step("since", run, {"lastmod", "published"})


# ---- by uniqueness


def unique(fields: Iterable[Literal["loc", "id"]] = ("loc",)) -> Step:
    """
    Skip entries whose URL or ID occurred in an earlier entry; duplicate IDs are reported.

    URLs are compared after normalization. If the ID is missing, the URL as written is the ID.

    Args:
        fields: Fields that must be unique: "loc", "id" or both.

    Raises:
        UnknownNameError: If a field is unknown.

    """
    fields = tuple(require_list("fields", fields))
    for field in fields:
        if field not in _KEYS:
            raise UnknownNameError("field", field, _KEYS)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        same = 0
        with closing(DigestSet()) as seen:
            for batch in batches:
                selected = batch
                for field in fields:
                    before, selected = (
                        selected,
                        selected.select(seen.add_texts(_KEYS[field](selected))),
                    )
                    same += (len(before) - len(selected)) * (field == "id")
                if selected:
                    yield selected
        if same:
            reporter.problem(
                "duplicate", f"{pluralize(same, 'entry', 'entries')} with a duplicate ID; skipped"
            )

    return Step("unique", run, {"loc", *fields})


def _locs(batch: Batch) -> Iterable[str | None]:
    locs = uris.normalize_all(batch.locs())
    return locs if all(locs) else [loc or None for loc in locs]


def _ids(batch: Batch) -> Iterable[str | None]:
    pairs = zip(batch.column("id"), batch.column("loc"), strict=True)
    return [f"id {own or loc}" if own or loc else None for own, loc in pairs]


_KEYS = {"loc": _locs, "id": _ids}


# ---- a certain number of entries, regardless of their contents


def head(count: int) -> Step:
    """
    Keep only the first entries, and stop reading after them.

    Args:
        count: Number of entries to keep.

    Raises:
        UsageError: If the number is not at least 1.

    """
    require_count("count", count)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        left = count
        for batch in batches:
            kept = min(left, len(batch))
            left -= kept
            yield batch.select([*repeat(True, kept), *repeat(False, len(batch) - kept)])
            if not left:
                return

    return Step("head", run, (), stops_early=True)


def sample(count: int, *, seed: int = 0) -> Step:
    """
    Keep only a random sample of the entries, in their original order.

    All entries have the same probability. The same entries in the same order, with the same number
    and seed, result in the same sample.

    Args:
        count: Number of entries to keep; they stay in memory until all entries have been read.
        seed: Selects one of the possible samples.

    Raises:
        UsageError: If the number is not at least 1.

    """
    require_count("count", count)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        random = Random(seed).random  # noqa: S311 - `random` is the same in all versions of Python
        kept: list[tuple[int, Entry]] = []
        entries = (entry for batch in batches for entry in batch.entries)
        # Algorithm R: https://doi.org/10.1145/3147.3165
        for number, entry in enumerate(entries):
            if number < count:
                kept.append((number, entry))
            elif (place := int(random() * (number + 1))) < count:
                kept[place] = (number, entry)
        kept.sort(key=itemgetter(0))
        yield from batched(entry for _, entry in kept)

    return Step("sample", run)
