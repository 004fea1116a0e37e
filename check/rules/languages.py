"""
Rules for language versions (hreflang), per page and across pages.

https://developers.google.com/search/docs/specialty/international/localized-versions
"""

import struct
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, groupby
from operator import itemgetter
from typing import ClassVar, NamedTuple

import msgspec

from sitemapx.check.api import BatchResult, Check, CheckContext
from sitemapx.check.findings import Position, RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File, FileExtent
from sitemapx.convert.disk.spill import DiskQueue, Sorter
from sitemapx.convert.values import urls
from sitemapx.convert.values.isocodes import usual_hreflang_case, why_not_hreflang
from sitemapx.convert.values.words import pluralize

_GUIDE = "https://developers.google.com/search/docs/specialty/international/localized-versions"


# ---- page by page


class _LanguageSet(NamedTuple):
    """
    Facts about the languages of a page's versions.

    Attributes:
        is_valid: Whether all languages are valid and distinct.
        has_default: Whether x-default is among them.
        notes: Notes on the languages, each as a code and the language in question.

    """

    is_valid: bool
    has_default: bool
    notes: tuple[tuple[str, str], ...]


class _PageCount(NamedTuple):
    """Number of pages of a batch with a common property, and the index of the first."""

    pages: int
    first: int


class _Summed(NamedTuple):
    """
    Findings of a batch that are reported once for the whole file.

    Attributes:
        without_default: The pages without x-default; None if there are none.
        notes: Maps each note of a `_LanguageSet` to its pages.

    """

    without_default: _PageCount | None
    notes: Mapping[tuple[str, str], _PageCount]


class Languages(Check):
    """Checks the language versions (hreflang) of single pages."""

    rules: ClassVar = {
        "hreflang-code": Rule(
            "error",
            "Invalid hreflang value",
            "The value must be an ISO 639-1 language, with an optional script and ISO 3166-1 "
            "country.",
            _GUIDE,
            "Write a code such as de, de-AT, zh-Hant or x-default.",
        ),
        "hreflang-url": Rule(
            "error",
            "hreflang URL is not absolute",
            "Search engines do not resolve relative URLs here.",
            _GUIDE,
            "Write the absolute URL; --fix does this with --source-url.",
            is_fixable=True,
        ),
        "hreflang-no-self": Rule(
            "warning",
            "Missing hreflang self-reference",
            "Each language version must list itself and all others.",
            _GUIDE,
            "Add a link from the page to itself, with its own language.",
        ),
        "hreflang-twice": Rule(
            "warning",
            "Duplicate hreflang value",
            "Search engines cannot tell which URL is meant for that language.",
            _GUIDE,
            "Keep one URL for the language, or add the country that each is for, such as en-GB.",
        ),
        "hreflang-repeated": Rule(
            "warning",
            "hreflang link listed twice",
            "The second link says nothing new; templates that list twice often omit another "
            "language.",
            _GUIDE,
            "List each language version once.",
        ),
        "hreflang-same-url": Rule(
            "note",
            "One URL for two languages",
            "A page is mostly in one language; the link to another version may have been "
            "forgotten.",
            _GUIDE,
            "Link to the page in each language, or remove the link of a language without a page.",
        ),
        "hreflang-case": Rule(
            "note",
            "hreflang value in unusual case",
            "Case does not matter to search engines, but scripts and other programs that compare "
            "the values may not find the language.",
            "https://www.rfc-editor.org/rfc/rfc5646#section-2.1.1",
            "Write the language in lower case and the country in upper case, such as en-US.",
            is_summary=True,
        ),
        "hreflang-no-general": Rule(
            "note",
            "Regions of a language, but no page for all others",
            "For several regions of one language, Google recommends a page for users of this "
            "language in all other regions.",
            f"{_GUIDE}#all-method-guidelines",
            "Add an alternate for the language alone, such as en beside en-GB and en-US; it may be "
            "the page of one of the regions.",
            is_summary=True,
        ),
        "hreflang-no-default": Rule(
            "note",
            "No x-default alternate",
            "x-default sets the page for users of all other languages.",
            f"{_GUIDE}#xdefault",
            'Add an alternate hreflang="x-default", if there is a page for all other languages.',
        ),
    }

    def begin_file(self, file: File) -> None:
        self._without_default = 0
        self._first = Position()
        self._notes: Counter[tuple[str, str]] = Counter()
        self._first_notes: dict[tuple[str, str], RawFinding] = {}

    def check_batch(self, view: BatchView) -> BatchResult:
        languages, hrefs, _, are_normal, have_selves = view.versions
        if not hrefs:
            return BatchResult()
        kinds = Counter(languages)
        sets = {name: _language_set(name) for name in kinds if name}
        without = {name for name, kind in sets.items() if not kind.has_default}
        findings: list[RawFinding] = []
        pairs = zip(hrefs, languages, strict=True)
        are_distinct = all(_are_distinct(urls, sets[names]) for urls, names in pairs if urls)
        are_valid = all(kind.is_valid for kind in sets.values())
        if not (are_normal and have_selves and are_valid and are_distinct):
            for at in _doubtful_pages(view, sets):
                has_self = _has_self(view, at)
                for code, message, text in _errors(languages[at], hrefs[at], has_self=has_self):
                    findings.append(view.urls.finding(code, message, at, text))
        notes = {
            note: _count_pages(
                {name for name in sets if note in sets[name].notes}, languages, kinds
            )
            for note in sorted({note for kind in sets.values() for note in kind.notes})
        }
        if not (without or notes):
            return BatchResult(findings)
        missing = _count_pages(without, languages, kinds) if without else None
        return BatchResult(findings, _Summed(missing, notes))

    def merge(self, partial: _Summed | None, batch: IndexedBatch, file: File) -> None:
        if partial is None:
            return
        if missing := partial.without_default:
            if not self._without_default:
                self._first = batch.urls.position_of(missing.first)
            self._without_default += missing.pages
        for note, counted in partial.notes.items():
            if note not in self._first_notes:
                code, language = note
                first = batch.urls.finding(code, "", counted.first, f'"{language}"')
                self._first_notes[note] = first
            self._notes[note] += counted.pages

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        for note, first in self._first_notes.items():
            code, language = note
            message = f"regions of {language}, but no alternate for {language} alone"
            if code == "hreflang-case":
                usual = usual_hreflang_case(language)
                message = f"hreflang {language!r} is usually written {usual!r}"
            more = f" ({count:,} pages)" if (count := self._notes[note]) > 1 else ""
            yield first._replace(message=message + more)
        if count := self._without_default:
            pages = "page has" if count == 1 else f"{count:,} pages have"
            more = "" if count == 1 else "; this is the first"
            message = f"{pages} alternates but no x-default{more}"
            yield RawFinding("hreflang-no-default", message, self._first)


def _count_pages(
    names: Collection[tuple[str, ...]],
    languages: Sequence[tuple[str, ...]],
    counts: Mapping[tuple[str, ...], int],
) -> _PageCount:
    """
    Count the pages of a batch whose languages are among `names`, at least one tuple.

    `languages` has the languages of each page, `counts` the number of pages with each tuple.
    """
    first = next(at for at, name in enumerate(languages) if name in names)
    return _PageCount(sum(counts[name] for name in names), first)


@lru_cache(1000)
def _language_set(languages: tuple[str, ...]) -> _LanguageSet:
    lower = set(map(str.lower, languages))
    is_valid = len(lower) == len(languages) and not any(map(_why_not, languages))
    odd = (code for code in languages if not _why_not(code) and code != usual_hreflang_case(code))
    notes = [("hreflang-case", code) for code in dict.fromkeys(odd)]
    notes += [("hreflang-no-general", language) for language in _languages_of_regions_only(lower)]
    return _LanguageSet(is_valid, "x-default" in lower, tuple(notes))


def _languages_of_regions_only(codes: Collection[str]) -> Iterator[str]:
    """
    Yield the languages with several regions, and without a code for the language alone.

    If there is only one language, x-default serves its other regions. Regions of Chinese differ in
    script, so that no page suits all.
    """
    regions = Counter(code.partition("-")[0] for code in codes if code != "x-default")
    if len(regions) == 1 and "x-default" in codes:
        return
    for language, count in sorted(regions.items()):
        if count > 1 and language not in codes and language != "zh":
            yield language


_why_not = lru_cache(1000)(why_not_hreflang)


def _doubtful_pages(view: BatchView, sets: dict[tuple[str, ...], _LanguageSet]) -> Iterator[int]:
    """Yield the indexes of the pages that need a closer check."""
    all_languages, all_hrefs, _, are_normal, _ = view.versions
    rows = zip(all_languages, all_hrefs, view.urls.locs, strict=True)
    for at, (languages, hrefs, loc) in enumerate(rows):
        if hrefs and not (
            sets[languages].is_valid
            and are_normal
            and loc in hrefs
            and _are_distinct(hrefs, sets[languages])
        ):
            yield at


def _are_distinct(hrefs: Sequence[str], languages: _LanguageSet) -> bool:
    """Return whether the URLs differ, except for one of them if there is an x-default."""
    return len(set(hrefs)) >= len(hrefs) - languages.has_default


def _has_self(view: BatchView, at: int) -> bool:
    """Return whether the language versions of entry `at` include its own URL, normalized or not."""
    urls, versions = view.urls, view.versions
    return urls.locs[at] in versions.hrefs[at] or urls.normals[at] in versions.normal_hrefs[at]


def _errors(
    languages: Sequence[str], hrefs: Sequence[str], *, has_self: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield a code, a message and the text to locate for each error in the versions of a page."""
    by_language: dict[str, str] = {}
    by_href: dict[str, str] = {}
    for language, href in zip(languages, hrefs, strict=True):
        if why := _why_not(language):
            yield "hreflang-code", f"invalid hreflang {language!r}: {why}", f'"{language}"'
        if not urls.is_absolute(href):
            yield "hreflang-url", f"hreflang URL is not absolute: {href!r}", href
        other = by_language.get(language.lower())
        if other == href:
            yield "hreflang-repeated", f"{language} alternate {href} is listed twice", href
        elif other:
            yield "hreflang-twice", f"duplicate hreflang {language}: {href} and {other}", href
        by_language.setdefault(language.lower(), href)
        if language.lower() != "x-default":
            first = by_href.setdefault(href, language)
            if first[:2].lower() != language[:2].lower():
                message = f"{first} and {language} alternates are both {href}"
                yield "hreflang-same-url", message, href
    if not has_self:
        yield "hreflang-no-self", "hreflang alternates do not include the page itself", ""


# ---- return links: nearly always, all versions of a page link to the same set of pages. Therefore,
# pages are stored, mostly on disk, unless their set is complete, for which a counter is enough.
# At the end, the pages of incomplete sets are split into links, each of which must have a link in
# the other direction.

_IN_MEMORY = 24 << 20
#: Maximum number of incomplete sets at a time (80 MB); beyond that, all are split into links.
_OPEN = 500_000
_pair = struct.Struct("<QQ")
_link = struct.Struct("<?Q")
_MASK = (1 << 64) - 1
#: The key of a row: the hashes of two URLs.
_key_of = itemgetter(slice(_pair.size))


class _LinkedPage(msgspec.Struct, array_like=True, gc=False):
    loc: str
    hrefs: Sequence[str]
    languages: Sequence[str]
    position: tuple[int | None, int | None]


class _WaitingPages(msgspec.Struct, array_like=True, gc=False):
    """Pages of a batch whose versions may follow, and the hash of each page's set of versions."""

    source: str
    keys: list[int]
    pages: list[_LinkedPage]


class _Links(NamedTuple):
    """
    The pages of a batch that have versions.

    Attributes:
        numbers: Indexes of the pages in the batch.
        keys: For each page, the hash of its set: the page and its versions.
        sizes: For each page, the size of this set.
        pages: Each page with its versions and position, encoded with msgpack.

    """

    numbers: Sequence[int]
    keys: Sequence[int]
    sizes: Sequence[int]
    pages: Sequence[bytes]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_WaitingPages).decode


class ReturnLinks(Check):
    """Reports hreflang links without a return link."""

    needs_index = True
    rules: ClassVar = {
        "hreflang-no-return": Rule(
            "warning",
            "Missing hreflang return link",
            "Google ignores hreflang links that are not mutual.",
            _GUIDE,
            "On each language version, link to all versions, including itself.",
        ),
        "hreflang-not-listed": Rule(
            "note",
            "hreflang alternate not in any checked sitemap",
            "Return links from these pages could not be checked.",
            _GUIDE,
            "Check all sitemaps of the site together, or list the alternates in a sitemap, too.",
            is_summary=True,
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._open: dict[int, int] = {}
        self._is_overfull = False
        self._links = 0
        self._waiting = DiskQueue(_IN_MEMORY)
        self._sorter = Sorter(_IN_MEMORY)

    def check_batch(self, view: BatchView) -> BatchResult:
        all_languages, _, all_hrefs, are_normal, have_selves = view.versions
        if not all_hrefs:
            return BatchResult()
        if have_selves and are_normal and not view.urls.unnormalized:
            sets = list(map(frozenset, all_hrefs))
        else:
            pairs = zip(view.urls.normals, all_hrefs, strict=True)
            sets = [frozenset((loc, *hrefs)) for loc, hrefs in pairs]
        numbers = [at for at, hrefs in enumerate(all_hrefs) if hrefs]
        linked = [sets[at] for at in numbers]
        locs, positions = list(view.urls.normals), view.urls.positions_of(numbers)
        pages = [
            _encode(_LinkedPage(locs[at], all_hrefs[at], all_languages[at], position))
            for at, position in zip(numbers, positions, strict=True)
        ]
        return BatchResult(
            partial=_Links(numbers, list(map(hash, linked)), list(map(len, linked)), pages)
        )

    def merge(self, partial: _Links | None, batch: IndexedBatch, file: File) -> None:
        if partial is None:
            return
        numbers, keys, sizes, pages = partial
        if before := batch.before:
            are_new = [at not in before for at in numbers]
            keys, sizes = list(compress(keys, are_new)), list(compress(sizes, are_new))
            pages = list(compress(pages, are_new))
        self._count_pages(keys, sizes)
        are_waiting = list(map(self._is_waiting, keys))
        if any(are_waiting):
            rows = list(map(msgspec.Raw, compress(pages, are_waiting)))
            kept = file.source or "", list(compress(keys, are_waiting)), rows
            self._waiting.add_row(_encode(kept))

    def _count_pages(self, keys: Sequence[int], sizes: Sequence[int]) -> None:
        """Count the pages of each set of language versions, and remove complete sets."""
        opened = self._open
        for key, count in zip(keys, sizes, strict=True):
            number = opened.pop(key, 0) + 1
            if number < count:
                opened[key] = number
        if len(opened) > _OPEN:
            self._is_overfull = True
            opened.clear()

    def _is_waiting(self, key: int) -> bool:
        return self._is_overfull or key in self._open

    def _add_links(self, loc: str, hrefs: Sequence[str]) -> None:
        mine = hash(loc) & _MASK
        keys: list[bytes] = []
        rows: list[bytes] = []
        for href in hrefs:
            theirs = hash(href) & _MASK
            if theirs != mine:
                key = _pair.pack(min(mine, theirs), max(mine, theirs))
                keys.append(key)
                rows.append(key + _link.pack(mine < theirs, self._links))
            self._links += 1
        self._sorter.add_rows(keys, rows)

    def end_run(self) -> Iterator[RawFinding]:
        if not self._open and not self._is_overfull:
            return
        for _, page in self._incomplete():
            self._add_links(page.loc, page.hrefs)
        one_way = bytearray(self._links)
        for _, rows in groupby(self._sorter, _key_of):
            links = [_link.unpack_from(row, _pair.size) for row in rows]
            if len({direction for direction, _ in links}) == 1:
                for _, number in links:
                    one_way[number] = 1
        yield from self._one_way_links(one_way)

    def _incomplete(self) -> Iterator[tuple[str, _LinkedPage]]:
        """Yield the pages with an incomplete set, each with the name of its file."""
        for row in self._waiting:
            waiting = _decode(row)
            for key, page in zip(waiting.keys, waiting.pages, strict=True):
                if self._is_waiting(key):
                    yield waiting.source, page

    def _one_way_links(self, one_way: bytearray) -> Iterator[RawFinding]:
        number = not_listed = 0
        first = first_href = None
        for source, page in self._incomplete():
            position = Position(*page.position)
            for language, href in zip(page.languages, page.hrefs, strict=True):
                if one_way[number]:
                    if self.context.listed.has_page(href):
                        message = f"{language} alternate {href} has no return link to {page.loc}"
                        found = RawFinding(
                            "hreflang-no-return", message, position, page.loc, source
                        )
                        yield found
                    else:
                        not_listed += 1
                        first = first or RawFinding(
                            "hreflang-not-listed", "", position, page.loc, source
                        )
                        first_href = first_href or href
                number += 1
        if first:
            are = pluralize(not_listed, "alternate is", "alternates are")
            message = f"{are} not in any checked sitemap (first: {first_href})"
            yield first._replace(message=message)

    def close(self) -> None:
        self._waiting.close()
        self._sorter.close()
