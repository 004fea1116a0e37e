"""Language codes in the names of columns, and the URLs below them."""

import re

from sitemapx.convert.formats.format import Context
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
    Return the language code in a column name; None if the name has no code.

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


def column_name(code: str) -> str:
    """
    Return a column name for a language code, as `find_language_code` recognizes it.

    >>> column_name("de-AT"), column_name("en-UK")
    ('de-AT', 'hreflang:en-UK')
    """
    return code if why_not_hreflang(code) is None else f"hreflang:{code}"


def read_version_url(name: str, text: str, context: Context, line: int) -> str | None:
    """Return the absolute URL in a cell; report any other value, and return None."""
    url = urls.clean(text)
    if url.startswith("/"):
        url = relative.resolve(url, context.url) or url
    if urls.is_absolute(url):
        return url
    context.tally("bad-value", f"column {name!r}: value is not a URL", done="; dropped", line=line)
    return None
