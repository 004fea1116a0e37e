"""Language tables: one row per set of language versions, one column per language."""

import csv
import io
import re
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing
from functools import partial

import msgspec

from sitemapx.convert.disk.spill import DigestSet, DiskQueue
from sitemapx.convert.formats.csv.definition import LANGUAGE_TABLE
from sitemapx.convert.formats.format import Context, Format
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded, batched
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Alternate, Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.model.versions import includes, is_version, versions_of
from sitemapx.convert.values import relative, urls
from sitemapx.convert.values.isocodes import why_not_hreflang
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


def find_language_code(name: str, line: int | None = None) -> str | None:
    """
    Return the language code in a column name; None if it has none.

    Args:
        line: Line number; if given, an invalid code raises `InputError`.

    >>> [find_language_code(name) for name in ("pt_BR", "hreflang:es-419", "note")]
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


def is_language_name(name: str) -> bool:
    """
    Return whether a column name clearly denotes a language, valid or not.

    >>> [is_language_name(name) for name in ("hreflang:?", "en-UK", "xx-GB", "is_ok")]
    [True, True, False, False]
    """
    m = _with_region(name)
    return bool(_named(name)) or (m is not None and why_not_hreflang(m[1]) is None)


def _column_name(code: str) -> str:
    """
    Return a column name in which `find_language_code` finds this code.

    >>> _column_name("de-AT"), _column_name("en-UK")
    ('de-AT', 'hreflang:en-UK')
    """
    return code if why_not_hreflang(code) is None else f"hreflang:{code}"


def read_version_url(name: str, text: str, context: Context, line: int) -> str | None:
    """Return the absolute URL in a cell; None, which is reported, if there is none."""
    url = urls.clean(text)
    if url.startswith("/"):
        url = relative.resolve(url, context.url) or url
    if urls.is_absolute(url):
        return url
    context.tally("bad-value", f"column {name!r}: value is not a URL", done="; dropped", line=line)
    return None


# ---- writing

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[Alternate, ...]).decode


def arrange(batches: Iterator[Batch], reporter: Reporter) -> tuple[Format, Iterator[Batch]]:
    """Collect the distinct sets of versions and their languages, on disk if there are many."""
    codes: dict[str, str] = {}
    with closing(DigestSet()) as seen, ExitStack() as stack:
        rows = stack.enter_context(closing(DiskQueue()))
        for batch in batches:
            for entry in batch.entries:
                versions = _select_versions(entry, reporter)
                key = "\n".join(sorted(f"{one.hreflang} {one.href}" for one in versions))
                if versions and all(seen.add_texts([key])):
                    rows.add_row(_encode(versions))
                    for one in versions:
                        codes.setdefault((one.hreflang or "").lower(), one.hreflang or "")
        stack.pop_all()
    table = LANGUAGE_TABLE._replace(write=partial(_LanguageWriter, codes=tuple(codes.values())))
    return table, batched(_read_sets(rows))


def _read_sets(rows: DiskQueue) -> Iterator[Entry]:
    """Yield an entry per set, with the URL of its first version."""
    with closing(rows):
        for versions in map(_decode, rows):
            yield Entry(loc=versions[0].href, alternates=versions)


def _select_versions(entry: Entry, reporter: Reporter) -> tuple[Alternate, ...]:
    """Return the versions of an entry, one per language; report what the table cannot represent."""
    found: dict[str, Alternate] = {}
    for one in versions_of(entry):
        first = found.setdefault((one.hreflang or "").lower(), one)
        if first.href != one.href:
            message = f"several alternates for {one.hreflang!r}"
            done = "; the first one is written"
            reporter.tally("repeated", message, done=done, loc=entry.loc)
    if not all(map(is_version, entry.alternates)):
        message = "alternate that is not a page in a language"
        reporter.tally("not-held", message, done="; dropped", loc=entry.loc)
    if not includes(tuple(found.values()), entry.loc or ""):
        message = "entry has no language: it is not among its alternates"
        reporter.tally("incomplete", message, done="; its URL is skipped", loc=entry.loc)
    return tuple(found.values())


class _LanguageWriter(Writer):
    def __init__(self, reporter: Reporter, codes: tuple[str, ...]) -> None:
        self._codes = codes
        self._places = {code.lower(): place for place, code in enumerate(codes)}

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        return _write_row([_column_name(code) for code in self._codes])

    def encode(self, batch: Batch) -> Encoded:
        """Write a row per set; it counts as many entries as it yields when read again."""
        chunks: list[bytes] = []
        pages = 0
        for entry in batch.entries:
            cells = [""] * len(self._codes)
            for one in entry.alternates:
                cells[self._places[(one.hreflang or "").lower()]] = one.href or ""
            chunks.append(_write_row(cells))
            pages += len({cell for cell in cells if cell})
        return Encoded(b"".join(chunks), pages, lambda: chunks)


def _write_row(cells: list[str]) -> bytes:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(cells)
    return row.getvalue().encode("utf-8", "replace")
