"""
Meaning of the columns of a table, by their names in the header.

Case and punctuation are ignored. Names used by crawlers are from Screaming Frog
(https://www.screamingfrog.co.uk/seo-spider/user-guide/tabs/), Sitebulb and Ahrefs Site Audit. If
the name of the first column is unknown, as in exports of Search Console in other languages, and no
name denotes URLs, the first column is used if its first value is a URL.
"""

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.values import relative, uris, urls
from sitemapx.convert.values.isocodes import why_not_hreflang
from sitemapx.convert.values.words import shorten_list
from sitemapx.errors import InputError

#: A language code, optionally after `hreflang`.
_column = re.compile(
    r"\s*(?:hreflang\s*[:=_(\[ -]\s*[\"']?)?([A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8})*)[\"')\]]*\s*",
    re.IGNORECASE,
).fullmatch
_named = re.compile(r"\s*hreflang\s*[:=(\[]", re.IGNORECASE).match
#: Looks like a code, valid or not.
_like_code = re.compile(r"[a-z]{2}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?", re.I).fullmatch
#: A code with a region in upper case, unlike names such as `is_ok`.
_with_region = re.compile(r"\s*([a-z]{2})(?:[-_][A-Z][a-z]{3})?[-_](?:[A-Z]{2}|\d{3})\s*").fullmatch


def _find_language_code(name: str, line: int | None = None) -> str | None:
    """
    Return the language code in a column name, or None; a code after `hreflang:` may be invalid.

    If `line` is given, any other invalid code raises an `InputError` with this line number.

    >>> [_find_language_code(name) for name in ("pt_BR", "hreflang:es-419", "note")]
    ['pt-BR', 'es-419', None]
    """
    m = _column(name)
    code = m[1].replace("_", "-") if m else ""
    if code and (_named(name) or why_not_hreflang(code) is None):
        return code
    if line is not None and _named(name):
        raise InputError(f"column {name!r}: invalid language code", line=line)
    if line is not None and _like_code(code):
        message = f"column {name!r}: {why_not_hreflang(code)}"
        message += f"; rename the column, or call it 'hreflang:{code}' to use this code"
        raise InputError(message, line=line)
    return None


def _is_language_name(name: str) -> bool:
    """
    Return whether a column name clearly denotes a language, valid or not.

    >>> [_is_language_name(name) for name in ("hreflang:?", "en-UK", "xx-GB", "is_ok")]
    [True, True, False, False]
    """
    m = _with_region(name)
    return bool(_named(name)) or (m is not None and why_not_hreflang(m[1]) is None)


def column_name(code: str) -> str:
    """
    Return a column name for a language code, as `_find_language_code` recognizes it.

    >>> column_name("de-AT"), column_name("en-UK")
    ('de-AT', 'hreflang:en-UK')
    """
    return code if why_not_hreflang(code) is None else f"hreflang:{code}"


def read_version_url(name: str, text: str, context: Context, line: int) -> str | None:
    """Return the URL in a cell, absolute or a path; report any other value and return None."""
    url = urls.clean(text)
    if url.startswith("/"):
        url = relative.resolve(url, context.url) or url
    if urls.is_absolute(url):
        return url
    context.tally("bad-value", f"column {name!r}: value is not a URL", done="; dropped", line=line)
    return None


#: Field of each known column name, in lower case.
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
#: Kind of each known column in exports of crawlers.
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
#: Kinds of columns that identify a table as the export of a crawler.
_CRAWLED = frozenset({"status", "indexable"})
_SEPARATORS = ",;\t|"
_words = re.compile(r"[^\W_]+").findall
_link_code = re.compile(r"(html|http|sitemap) hreflang (\d+)( url)?").fullmatch


def find_field(name: str) -> str | None:
    return _FIELD_NAMES.get(_normalize(name))


def _normalize(name: str) -> str:
    return " ".join(_words(name.lower()))


def detect_separator(header: str) -> str:
    """Return the separator character that is most frequent in a header."""
    return max(_SEPARATORS, key=header.count)


def _split_cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


class TableHeader:
    """
    The header of a table, interpreted together with the first row.

    Attributes:
        fields: Field of each column; None if the column name is unknown.
        codes: Language codes by column index.
        links: Pairs of column indexes: the language code and the URL of an alternate.
        crawl: Indexes of columns by kind, such as "status", in exports of crawlers; else empty.
        has_urls: Whether there is a URL column, at least two columns for languages, or one for a
            language with a URL in the first row.

    """

    def __init__(self, line: str, first_row: str = "") -> None:
        separator = detect_separator(line)
        self.names = _split_cells(line, separator)
        plain = list(map(_normalize, self.names))
        self.fields = [_FIELD_NAMES.get(name) for name in plain]
        self.crawl = {
            _CRAWL_NAMES[name]: place
            for place, name in reversed([*enumerate(plain)])
            if name in _CRAWL_NAMES
        }
        if _CRAWLED.isdisjoint(self.crawl):
            self.crawl = {}
        self.links = _find_link_columns(plain)
        is_table = "loc" not in self.fields
        self.codes = {
            place: code
            for place, (name, field) in enumerate(zip(self.names, self.fields, strict=True))
            if (not field or (is_table and field == "id")) and (code := _find_language_code(name))
        }
        self._settle_id(is_table)
        first = [urls.clean(cell) for cell in _split_cells(first_row, separator)]
        if is_table and not self.codes and not any(self.fields[:1]) and self._is_above(first):
            self.fields[0] = "loc"
        is_certain = len(self.codes) > 1 or any(map(urls.is_absolute, first))
        self.has_urls = "loc" in self.fields or (bool(self.codes) and is_certain)

    def _settle_id(self, is_table: bool) -> None:
        """Treat `id` as a language beside other languages, without a URL column; else as an ID."""
        ids = [place for place, field in enumerate(self.fields) if field == "id"]
        if is_table and len(self.codes) > len(ids):
            for place in ids:
                self.fields[place] = None
        else:
            self.codes = {key: code for key, code in self.codes.items() if key not in ids}

    def _is_above(self, first: Sequence[str]) -> bool:
        """Return whether the first row begins with a URL and fits a header without URLs."""
        has_url = any(urls.is_absolute(urls.clean(name)) for name in self.names)
        return not has_url and len(first) == len(self.names) > 1 and urls.is_absolute(first[0])

    @property
    def is_language_table(self) -> bool:
        """Whether each row lists the versions of a page, with a column for each language."""
        return bool(self.codes) and "loc" not in self.fields

    def check(self, context: Context, line: int) -> None:
        """
        Report unknown columns, and columns for the same field.

        Raises `InputError` if no column contains URLs, or if a language is repeated or invalid.
        """
        if "loc" not in self.fields and not self.codes:
            raise InputError(
                "header has no URL column: expected a column named loc, url or address, "
                "or columns named by language codes such as en and de-AT",
                line=line,
            )
        self._reject_doubtful_codes(line)
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
            context.problem("repeated-key", message, done="; the first value is used", line=line)

    def _reject_doubtful_codes(self, line: int) -> None:
        for name, field in zip(self.names, self.fields, strict=True):
            if not field and (self.codes or _is_language_name(name)):
                _find_language_code(name, line)
        places: dict[str, int] = {}
        for place, code in self.codes.items():
            if (other := places.setdefault(code.lower(), place)) != place:
                names = f"{self.names[other]!r} and {self.names[place]!r}"
                message = f"columns {names} are for the same language; remove or rename one"
                raise InputError(message, line=line)


def _find_link_columns(names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index pairs of Screaming Frog's columns for language codes and their URLs."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for place, name in enumerate(names):
        if m := _link_code(name):
            found.setdefault((m[1], m[2]), {})["url" if m[3] else "code"] = place
    return [(pair["code"], pair["url"]) for pair in found.values() if len(pair) == 2]


# ---- exports of crawlers: which URLs belong in a sitemap

#: Sitebulb's placeholder for a missing value.
MISSING = "--"
_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/pdf"})
#: Prefixes of positive values, in several languages: indexable, indexierbar and so on.
_YES = ("ind", "yes", "true", "1")


def why_unlisted(found: Mapping[str, str], loc: str) -> str | None:
    """
    Return why a URL does not belong in a sitemap; None if the URL belongs there.

    `found` is what a crawler found out about the URL, with the keys of `TableHeader.crawl`.

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
