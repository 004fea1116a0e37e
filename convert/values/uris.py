"""
URLs according to RFC 3986: escaping of illegal characters, and normalization.

https://www.rfc-editor.org/rfc/rfc3986; hosts are parsed according to https://url.spec.whatwg.org.
"""

import re
from collections.abc import Sequence
from functools import cache

from sitemapx.convert.values.urls import (
    MAX_LENGTH,
    NORMAL_SITE,
    SCHEME,
    START,
    is_absolute,
    parse,
    without_user,
)
from sitemapx.patterns import lazy_pattern

# Patterns are compiled on first use, since compiling all of them slows down short runs.
#: Legal characters after the host, except for the percent sign. Square brackets are legal only in a
#: host, where they are rare and handled by the slow path.
_CHARS = r"A-Za-z0-9\-._~:/?@!$&'()*+,;="
_HOST = r"https?://[A-Za-z0-9][A-Za-z0-9._-]*+(?::(?:[1-5][0-9]{4}|[0-9]{1,4}))?+"
_PLAIN_HOST = _HOST.removeprefix("https?://")
_LEGAL_HOST = r"[A-Za-z0-9._~!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\]"
_LEGAL_USER = r"(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})+"
_LEGAL_AUTHORITY = rf"(?:{_LEGAL_USER}@)?(?:{_LEGAL_HOST})(?::[0-9]{{1,5}})?"
_RUN = rf"[{_CHARS}]*+(?:%[0-9A-Fa-f]{{2}}[{_CHARS}]*+)*+"
_uri = lazy_pattern(rf"{_HOST}(?:[/?]{_RUN})?+(?:#{_RUN})?+")
#: Matches many lines at once; only for text whose characters have been validated.
_LINES = rf"(?:{_HOST}(?:[/?#].*+)?+\n)*+".encode()
#: The same for lines that certainly do not exceed `MAX_LENGTH`.
_SHORT_LINES = _LINES.replace(b"]*+", b"]{,256}+").replace(b".*+", b".{,1700}+")
#: Matchers for the illegal use of some characters. (Alternatives in one pattern are slow to
#: search.)
_MISUSED = {b"%": rb"%(?![0-9A-Fa-f]{2})", b"#": rb"#.*#"}
#: Matches an escape in a normalized URL: in upper case, and not of an unreserved character.
#: Apostrophes are escaped in queries.
_NORMAL_ESCAPE = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[BCDF])"


def _normal_run(characters: str) -> str:
    return rf"[{characters}]*+(?:{_NORMAL_ESCAPE}[{characters}]*+)*+"


_IN_PATH, _IN_QUERY = _CHARS.replace("?", ""), _CHARS.replace("'", "") + "#"
_NORMAL_PATH = f"/{_normal_run(_IN_PATH)}(?:[?#]{_normal_run(_IN_QUERY)})?+"
_NORMAL = NORMAL_SITE + _NORMAL_PATH
_normal = lazy_pattern(_NORMAL)
_normal_path = lazy_pattern(_NORMAL_PATH)
_normal_lines = lazy_pattern(rf"(?:{_NORMAL}\n)*+")
#: Matches normalized lines, and the first line that may not be normalized.
_NEXT_OTHER_LINE = rf"(?:{_NORMAL}\n)*+(.*)\n?"
_PARTS = r"(?s)([^:/?#]+://)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?"
#: The authority of a URL of any scheme.
_OTHER_AUTHORITY = r"//(?:[^/?#@]*@)?[^/?#@:]*(?::[0-9]{1,5})?(?:[/?#]|\Z)"
_FORBIDDEN = rf"%(?![0-9A-Fa-f]{{2}})|[^{_CHARS}%]"


@cache
def _legal() -> bytes:
    return re.sub(rf"[^{_CHARS}%#\n]", "", bytes(range(128)).decode()).encode()


def are_uri_lines(text: str) -> bool:
    """Return True only if `to_uri` certainly leaves all lines, each ending in LF, unchanged."""
    if not text.isascii():
        return False
    lines = text.encode()
    if lines.translate(None, _legal()):
        return False
    if re.fullmatch(_SHORT_LINES, lines) is None and (
        re.fullmatch(_LINES, lines) is None or max(map(len, lines.split(b"\n"))) > MAX_LENGTH
    ):
        return False
    return not any(
        character in lines and re.search(illegal, lines) for character, illegal in _MISUSED.items()
    )


def to_uri(url: str) -> str | None:
    """
    Convert a URL to a URI of RFC 3986: escape illegal characters, and encode the host in ASCII.

    After the host, legal characters are not changed. Whitespace around the URL is removed and,
    before a query, a backslash becomes a slash, as in browsers
    (https://url.spec.whatwg.org/#path-start-state).

    Returns:
        The URI; None if the URL is not http(s), has an invalid host or port, or is too long.

    >>> to_uri("https://müller.example/straße?q=a b")
    'https://xn--mller-kva.example/stra%C3%9Fe?q=a%20b'

    """
    if _uri.fullmatch(url) is None:
        url = url.strip()
        if "\\" in url:
            url = re.sub(r"^[^?#]+", lambda m: m[0].replace("\\", "/"), url)
        m = re.fullmatch(_PARTS, url)
        if m is None or not is_absolute(url):
            return None
        scheme, authority, *rest = m.groups(default="")
        if sum(map(len, rest)) > MAX_LENGTH:  # escapes only make the URL longer
            return None
        host = authority if re.fullmatch(_PLAIN_HOST, authority) else _ascii_host(scheme, authority)
        if host is None:
            return None
        url = scheme + host + "".join(part[:1] + _escape(part[1:]) for part in rest)
    return url if len(url) <= MAX_LENGTH else None


def normalize(url: str) -> str:
    """
    Normalize a URL, so that equivalent URLs become identical.

    See https://url.spec.whatwg.org/#url-equivalence. The host is in lower case and ASCII, without
    default port; dot segments are removed; only necessary characters are escaped, in upper case
    (https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2). A text that is not a URL is returned
    unchanged.

    >>> normalize("HTTP://Example.COM:80/a/../%7ejo/caf%c3%a9")
    'http://example.com/~jo/caf%C3%A9'
    """
    uri = to_uri(url) or url
    plain = _normalize_escapes(uri)
    if "/." not in plain and _normal.fullmatch(plain):
        return plain
    m = re.match(START, uri)
    if m and (site := parse(f"{m[0]}/")):  # most URLs are on one of a few sites
        path = _normalize_escapes(uri[m.end() :])
        if "/." not in path and _normal_path.fullmatch(path):
            return _normalize_escapes(site.href[:-1]) + path
    parsed = parse(uri)
    return _normalize_escapes(parsed.href) if parsed else url


def _normalize_escapes(text: str) -> str:
    return re.sub("%[0-9A-Fa-f]{2}", _normal_escape, text) if "%" in text else text


def canonicalize(url: str) -> str:
    """
    Normalize a URL as `normalize` does, and remove user and fragment; return other text unchanged.

    >>> canonicalize("HTTPS://user@Example.com:443/a/../b#c")
    'https://example.com/b'
    """
    href = normalize(url)
    return without_user(href).partition("#")[0] if re.match(SCHEME, href) else url


def _normal_escape(m: re.Match[str]) -> str:
    return _normalize_escape(m[0])


@cache
def _normalize_escape(escape: str) -> str:
    character = chr(int(escape[1:], 16))
    return character if re.match(r"[A-Za-z0-9\-._~]", character) else escape.upper()


def are_normalized(urls: Sequence[str]) -> bool:
    """Return True only if all URLs are certainly normalized; fast if many URLs are equal."""
    distinct = {*urls}
    text = "\n".join([*distinct, ""])
    return text.count("\n") == len(distinct) and _are_normal_lines(text)


def _are_normal_lines(text: str) -> bool:
    return "/." not in text and _normal_lines.fullmatch(text) is not None


def normalize_all(urls: Sequence[str], lines: str | None = None) -> Sequence[str]:
    """
    Normalize each URL; the result may be `urls` itself.

    `lines` is the same list as one text, with a line feed after each URL; None to build the text.
    """
    text = "\n".join([*urls, ""]) if lines is None else lines
    if text.count("\n") != len(urls):  # URLs contain line feeds
        return [normalize(url) if url else url for url in urls]
    if _are_normal_lines(text):
        return urls
    others = set(re.findall(_NEXT_OTHER_LINE, text)) - {""}
    if "/." in text:
        others.update(url for url in urls if "/." in url)
    spellings = {url: normalize(url) for url in others}
    return [spellings.get(url, url) for url in urls]


def _ascii_host(scheme: str, authority: str) -> str | None:
    """Return user, host and port of an authority in ASCII; None if the host or port is invalid."""
    parsed = parse(f"{scheme}{authority}/")
    if parsed is None:
        return None
    if not re.fullmatch(_LEGAL_HOST, parsed.hostname):
        return None
    if re.fullmatch(_LEGAL_AUTHORITY, authority):
        return authority
    user = f"{parsed.username}:{parsed.password}".rstrip(":")
    return f"{user}@{parsed.host}" if user else parsed.host


def escape_name(name: str) -> str:
    """
    Percent-encode a file name or a relative path for the path of a URL; slashes are kept.

    >>> escape_name("blog/100% new?.xml")
    'blog/100%25%20new%3F.xml'
    """
    return _escape(name.replace("%", "%25")).replace("?", "%3F")


def _escape(text: str) -> str:
    return re.sub(_FORBIDDEN, _percent, text)


def _percent(m: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in m[0].encode("utf-8", "surrogatepass"))


def to_other_uri(url: str) -> str | None:
    """
    Percent-encode illegal characters in a URL whose scheme is not http(s), such as an app link.

    Return None for an http(s) URL, a URL that is too long, and a text that cannot become a URI.
    """
    if is_absolute(url) or not re.match(SCHEME, url) or len(url) > MAX_LENGTH:
        return None
    scheme, _, rest = url.partition(":")
    if scheme.lower() in ("http", "https"):
        return None
    start, delimiter, fragment = rest.partition("#")
    if start.startswith("//") and not re.match(_OTHER_AUTHORITY, start):
        return None
    return f"{scheme}:{_escape(start)}{delimiter}{_escape(fragment)}"
