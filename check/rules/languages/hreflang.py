"""
Versions of a page in other languages, page by page.

https://developers.google.com/search/docs/specialty/international/localized-versions
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from sitemapx.check.api import Check, CheckContext, Entries, File
from sitemapx.check.findings import Rule
from sitemapx.check.positions import Position
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.isocodes import why_not_hreflang

__all__ = ["GUIDE", "Languages"]

GUIDE = "https://developers.google.com/search/docs/specialty/international/localized-versions"


class Languages(Check):
    """Looks at hreflang."""

    rules: ClassVar = {
        "hreflang-code": Rule(
            "error",
            "Invalid hreflang value",
            "The value must be an ISO 639-1 language, with an optional script and ISO 3166-1 "
            "country.",
            GUIDE,
            "Write a code such as de, de-AT, zh-Hant or x-default.",
        ),
        "hreflang-url": Rule(
            "error",
            "hreflang URL is not absolute",
            "Search engines do not resolve relative URLs here.",
            GUIDE,
            "Write the absolute URL; --fix does this with --source-url.",
            is_fixable=True,
        ),
        "hreflang-no-self": Rule(
            "warning",
            "Missing hreflang self-reference",
            "Each language version must list itself and all others.",
            GUIDE,
            "Add a link from the page to itself, with its own language.",
        ),
        "hreflang-twice": Rule(
            "warning",
            "Duplicate hreflang value",
            "Search engines cannot tell which URL is meant for that language.",
            GUIDE,
            "Keep one URL for the language, or add the country that each is for, such as en-GB.",
        ),
        "hreflang-no-default": Rule(
            "note",
            "No x-default alternate",
            "x-default sets the page for users of all other languages.",
            f"{GUIDE}#xdefault",
            'Add an alternate hreflang="x-default", if there is a page for all other languages.',
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        #: Languages that may stand together, and whether x-default is among them.
        self._right: dict[tuple[str, ...], bool] = {}

    def begin(self, file: File) -> None:
        """Begin with the x-default."""
        self._without_default, self._first = 0, Position()

    def inspect(self, batch: Batch, entries: Entries) -> tuple[int, int] | None:
        """Look at the alternates of each page; return how many have no x-default, and the first."""
        listed = self.context.listed
        all_languages, all_hrefs, is_normal, has_selves = listed.versions
        if not all_hrefs:
            return None
        kinds = Counter(all_languages)
        if is_normal and has_selves and kinds.keys() <= self._right.keys():
            without = {one: n for one, n in kinds.items() if not self._right[one]}
            first = (at for at, one in enumerate(all_languages) if one in without)
            return (sum(without.values()), next(first)) if without else None
        locs = batch.locs()
        pages: list[int] = []
        for at, (languages, hrefs) in enumerate(zip(all_languages, all_hrefs, strict=True)):
            if not hrefs:
                continue
            has_default = self._right.get(languages)
            if has_default is not None and is_normal and locs[at] in hrefs:
                pages += [at] * (not has_default)
                continue
            spellings = hrefs if is_normal else map(uris.normal, hrefs)
            has_self = locs[at] in hrefs or listed.locs[at] in spellings
            for code, message, text in self._judge(languages, hrefs, has_self=has_self):
                entries.report(code, message, at=at, text=text)
            pages += [at] * ("x-default" not in map(str.lower, languages))
        return (len(pages), pages[0]) if pages else None

    def take(self, inspected: tuple[int, int], file: File) -> None:
        """Count the pages without an x-default."""
        number, first = inspected
        if not self._without_default:
            self._first = file.position_of(first)
        self._without_default += number

    def _judge(
        self, languages: Sequence[str], hrefs: Sequence[str], *, has_self: bool
    ) -> Iterator[tuple[str, str, str]]:
        by_language: dict[str, str] = {}
        are_right = len(set(map(str.lower, languages))) == len(languages)
        for language, href in zip(languages, hrefs, strict=True):
            if why := _why_not(language):
                are_right = False
                yield "hreflang-code", f"invalid hreflang {language!r}: {why}", f'"{language}"'
            if not urls.is_absolute(href):
                yield "hreflang-url", f"hreflang URL is not absolute: {href!r}", href
            if by_language.setdefault(language.lower(), href) != href:
                message = (
                    f"duplicate hreflang {language}: {href} and {by_language[language.lower()]}"
                )
                yield "hreflang-twice", message, href
        if not has_self:
            yield "hreflang-no-self", "hreflang alternates do not include the page itself", ""
        if are_right and len(self._right) < _MOST:
            self._right[tuple(languages)] = "x-default" in by_language

    def end(self, file: File) -> None:
        """Return how many pages have no version for the others."""
        if self._without_default:
            is_one = self._without_default == 1
            pages = "page has" if is_one else f"{self._without_default:,} pages have"
            message = (
                f"{pages} alternates but no x-default{'' if is_one else '; this is the first'}"
            )
            file.report_at(self._first, "hreflang-no-default", message)


_why_not = lru_cache(1000)(why_not_hreflang)
#: So many combinations of languages are remembered.
_MOST = 1000
