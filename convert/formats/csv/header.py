"""
The header of a table: what its columns mean, by their names.

Case, spaces and punctuation of names do not matter. The names that crawlers give are those of
Screaming Frog (https://www.screamingfrog.co.uk/seo-spider/user-guide/tabs/), Sitebulb and Ahrefs
Site Audit. A table without such a name, as Search Console exports it in other languages, is known
by its first column, if that holds URLs.
"""

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from sitemapx.convert.formats.csv.languages import is_language_name, language_column
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import shorten_list
from sitemapx.errors import InputError

#: What other programs call a field.
_FIELD_NAMES = {
    "url": "loc",
    "address": "loc",
    **dict.fromkeys(("adresse", "dirección", "indirizzo"), "loc"),
    "link": "loc",
    "page": "loc",
    "page url": "loc",
    "full url": "loc",
    "landing page": "loc",
    "top pages": "loc",
    "location": "loc",
    "last modified": "lastmod",
    "modified": "lastmod",
    "change frequency": "changefreq",
    "title 1": "title",
    "meta description": "description",
    "meta description 1": "description",
} | {name: name for name in FIELDS}
#: What crawlers call what they found: the status, whether a page may be indexed, and so on.
_CRAWL_NAMES = {
    "status code": "status",
    "http status code": "status",
    "indexability": "indexable",
    "indexable": "indexable",
    "indexable status": "indexable",
    "is indexable page": "indexable",
    "indexability status": "reason",
    "content type": "type",
    "canonical link element 1": "canonical",
} | {  # the languages in which Screaming Frog exports
    **dict.fromkeys(("indexierbarkeit", "indexabilité", "indexabilidad"), "indexable"),
    "indicizzabilità": "indexable",
    **dict.fromkeys(("code http", "código de estado", "codice di stato"), "status"),
    **dict.fromkeys(("inhaltstyp", "type de contenu", "tipo de contenido"), "type"),
}
#: Without one of these, a table is none of a crawler.
_CRAWLED = frozenset({"status", "indexable"})
_SEPARATORS = ",;\t|"
_words = re.compile(r"[^\W_]+").findall
_link_code = re.compile(r"(html|http|sitemap) hreflang (\d+)( url)?").fullmatch


def field_named(name: str) -> str | None:
    """Return the field that a column of this name has; None if there is none."""
    return _FIELD_NAMES.get(_plain(name))


def _plain(name: str) -> str:
    return " ".join(_words(name.lower()))


def separator_of(header: str) -> str:
    """Return what separates the cells of a header."""
    return max(_SEPARATORS, key=header.count)


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


class TableHeader:
    """
    A header.

    Attributes:
        names: The names of the columns, as they are written.
        fields: The field of each column; None for a column that is none.
        codes: The columns of languages: their places, and the codes.
        links: Places of pairs of columns, one for the code of a version and one for its URL.
        crawl: Places of the columns in which a crawler says what it found, by what they are.
        has_urls: Whether there is a column of URLs, or columns of languages.

    """

    def __init__(self, line: str, first_row: str = "") -> None:
        """
        Read a header.

        Args:
            first_row: The line after it.

        """
        separator = separator_of(line)
        self.names = _cells(line, separator)
        plain = list(map(_plain, self.names))
        self.fields = [_FIELD_NAMES.get(name) for name in plain]
        self.crawl = {
            _CRAWL_NAMES[name]: place
            for place, name in reversed([*enumerate(plain)])
            if name in _CRAWL_NAMES
        }
        if _CRAWLED.isdisjoint(self.crawl):
            self.crawl = {}
        self.links = _pairs(plain)
        is_table = "loc" not in self.fields
        self.codes = {
            place: code
            for place, (name, field) in enumerate(zip(self.names, self.fields, strict=True))
            if (not field or (is_table and field == "id")) and (code := language_column(name))
        }
        self._settle_id(is_table)
        first = [urls.clean(cell) for cell in _cells(first_row, separator)]
        if is_table and not self.codes and not any(self.fields[:1]) and self._is_above(first):
            self.fields[0] = "loc"
        is_certain = len(self.codes) > 1 or any(map(urls.is_absolute, first))
        self.has_urls = "loc" in self.fields or (bool(self.codes) and is_certain)

    def _settle_id(self, is_table: bool) -> None:
        """Tell the code of Indonesian from the name of a field: beside others, it is a language."""
        ids = [place for place, field in enumerate(self.fields) if field == "id"]
        if is_table and len(self.codes) > len(ids):
            for place in ids:
                self.fields[place] = None
        else:
            self.codes = {key: code for key, code in self.codes.items() if key not in ids}

    def _is_above(self, first: Sequence[str]) -> bool:
        """Return whether this is no row itself, and the first row begins with a URL."""
        has_url = any(urls.is_absolute(urls.clean(name)) for name in self.names)
        return not has_url and len(first) == len(self.names) > 1 and urls.is_absolute(first[0])

    @property
    def is_language_table(self) -> bool:
        """Whether each row is a set of versions, and no column has the URL of the row."""
        return bool(self.codes) and "loc" not in self.fields

    def check(self, context: Context, line: int) -> None:
        """
        Report columns that are not read, or not all of whose values are.

        Raises:
            InputError: If no column has URLs, or two are for the same language.

        """
        if "loc" not in self.fields and not self.codes:
            raise InputError(
                "header has no URL column: expected a column named loc, url or address, "
                "or columns named by language codes such as en and de-AT",
                line=line,
            )
        self._refuse_doubtful_codes(line)
        known = {*self.codes, *self.crawl.values(), *(at for pair in self.links for at in pair)}
        columns = [*zip(self.names, self.fields, strict=True)]
        if unknown := [
            name for at, (name, field) in enumerate(columns) if not field and at not in known
        ]:
            named = [name for name in unknown if name.strip()]
            unnamed = len(unknown) - len(named)
            shown = [*named, *([f"{unnamed} unnamed"] if unnamed else [])]
            context.problem(
                "unknown-key", f"unknown columns dropped: {shorten_list(shown)}", line=line
            )
        counts = Counter(self.fields)
        if twice := [name for name, field in columns if field and counts[field] > 1]:
            message = f"columns for the same field: {', '.join(twice)}"
            context.problem("repeated", message, done="; the first value is used", line=line)

    def _refuse_doubtful_codes(self, line: int) -> None:
        """Refuse codes that leave open which URL is meant for which language."""
        for name, field in zip(self.names, self.fields, strict=True):
            if not field and (self.codes or is_language_name(name)):
                language_column(name, line)
        places: dict[str, int] = {}
        for place, code in self.codes.items():
            if (other := places.setdefault(code.lower(), place)) != place:
                names = f"{self.names[other]!r} and {self.names[place]!r}"
                message = f"columns {names} are for the same language; remove or rename one"
                raise InputError(message, line=line)


def _pairs(names: Sequence[str]) -> list[tuple[int, int]]:
    """Find the columns in which Screaming Frog lists alternates: codes, and their URLs."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for place, name in enumerate(names):
        if m := _link_code(name):
            found.setdefault((m[1], m[2]), {})["url" if m[3] else "code"] = place
    return [(pair["code"], pair["url"]) for pair in found.values() if len(pair) == 2]


# ---- rows of crawlers: which of the URLs that they found are pages to be listed

#: What Sitebulb writes for a value that there is not.
MISSING = "--"
_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/pdf"})
#: How values begin that mean yes, in the languages of exports: indexable, indexierbar and so on.
_YES = ("ind", "yes", "true", "1")


def why_unlisted(found: Mapping[str, str], loc: str) -> str | None:
    """
    Return why a sitemap must not list a URL; None if it may.

    Args:
        found: What a crawler found, by the names of `TableHeader.crawl`.

    >>> why_unlisted({"status": "301", "indexable": "Non-Indexable"}, "https://example.com/a")
    'status 301'
    >>> why_unlisted({"indexable": "Nicht-Indexierbar"}, "https://example.com/a")
    'not indexable'

    """
    status, indexable = found.get("status"), found.get("indexable")
    if status and status != "200":
        return f"status {status}"
    if indexable and not indexable.lower().startswith(_YES):
        reason = found.get("reason")
        return f"not indexable ({reason})" if reason else "not indexable"
    kind = (found.get("type") or "").partition(";")[0].strip().lower()
    if "/" in kind and kind not in _TYPES:
        return f"{kind} is not a page"
    canonical = found.get("canonical")
    if canonical and not indexable and uris.normalize(canonical) != uris.normalize(loc):
        return "page has another canonical URL"
    return None
