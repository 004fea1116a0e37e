"""The syntax of a URL: https://www.rfc-editor.org/rfc/rfc3986"""

import re
from collections.abc import Collection, Iterator
from urllib.parse import quote

from sitemapx.convert.values import uris, urls

__all__ = ["ESCAPE_CODES", "escaped", "syntax"]

#: Codes of URLs that are fixed by escaping.
ESCAPE_CODES = frozenset({"loc-character", "loc-non-ascii", "loc-escape"})

#: What neither RFC 3986 nor RFC 3987 allows anywhere, and brackets outside a host.
_illegal = re.compile(r"[\x00-\x20\x7f<>\"{}|\\^`\xa0\u2000-\u200f\u2028-\u202f\ufeff]").search
_brackets = re.compile(r"^[^/]*//[^/?#]*[/?#].*[\[\]]").match
_bad_escape = re.compile(r"%(?![0-9A-Fa-f]{2})").search
_user = re.compile(r"^[^/]*//[^/?#]*@").match
_host_in = re.compile(r"^[^/]*//(?:[^/?#]*@)?([^/?#]*)").match


def syntax(loc: str) -> Iterator[tuple[str, str]]:
    """Find what is wrong with the characters, the length and the host of a URL."""
    if len(loc) > urls.MAX_LENGTH:
        yield "loc-too-long", f"URL has {len(loc):,} characters (limit {urls.MAX_LENGTH:,})"
    if m := _illegal(loc):
        yield "loc-character", f"illegal character {m[0]!r} in URL, at {_around(loc, m.start())!r}"
    elif _brackets(loc):
        yield "loc-character", "square bracket in URL outside the host"
    if m := _bad_escape(loc):
        yield "loc-escape", f"invalid percent-encoding in URL, at {_around(loc, m.start())!r}"
    if not loc.isascii():
        yield "loc-non-ascii", _unencoded(loc)
    if len(loc) <= urls.MAX_LENGTH // 4 and uris.to_uri(loc) is None:
        yield "loc-host", f"invalid host {loc.partition('//')[2].partition('/')[0]!r}"


def _unencoded(loc: str) -> str:
    """Name the first character that is not ASCII, and what to write: in the host, Punycode."""
    at = next(n for n, character in enumerate(loc) if not character.isascii())
    if (user := _user(loc)) and at < user.end():
        return "unencoded character in the user name or password"
    m = _host_in(loc)
    if m is None or not m.start(1) <= at < m.end(1):
        return f"unencoded {loc[at]!r} in URL (write {quote(loc[at])})"
    host = urls.hostname(uris.to_uri(m[0]) or "")
    return f"unencoded {loc[at]!r} in host" + (f" (write {host})" if host else "")


def _around(loc: str, at: int) -> str:
    """Return the part of a URL around a character; of a user name and password, nothing."""
    start = m.end() if (m := _user(loc)) else 0
    return loc[max(at - 10, start) : at + 10] if at >= start else urls.without_password(loc[:start])


def escaped(url: str, codes: Collection[str] = ESCAPE_CODES) -> str | None:
    """Return a URL with its characters escaped; None if it has no error, or one of another code."""
    found = {code for code, _ in syntax(url)}
    return uris.to_uri(url) if found and found <= set(codes) else None
