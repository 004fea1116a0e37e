"""
URLs as RFC 3986 has them: escapes for what it forbids, and the one spelling of all equal ones.

https://www.rfc-editor.org/rfc/rfc3986; hosts are parsed as https://url.spec.whatwg.org says.
"""

import re
from collections.abc import Sequence
from functools import cache

from sitemapx.convert.values.urls import MAX_LENGTH, SCHEME, is_absolute, without_user
from sitemapx.patterns import lazy_pattern

#: What is not compiled here is when it is needed: compiling takes a good part of a short run.
#: What RFC 3986 allows after the host, the percent sign of an escape aside. Square brackets are
#: legal in a host only, and so rare there that they take the long way.
_CHARS = r"A-Za-z0-9\-._~:/?@!$&'()*+,;="
_HOST = r"https?://[A-Za-z0-9][A-Za-z0-9._-]*+(?::(?:[1-5][0-9]{4}|[0-9]{1,4}))?+"
_PLAIN_HOST = _HOST.removeprefix("https?://")
_LEGAL_HOST = r"[A-Za-z0-9._~!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\]"
_LEGAL_USER = r"(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})+"
_LEGAL_AUTHORITY = rf"(?:{_LEGAL_USER}@)?(?:{_LEGAL_HOST})(?::[0-9]{{1,5}})?"
_RUN = rf"[{_CHARS}]*+(?:%[0-9A-Fa-f]{{2}}[{_CHARS}]*+)*+"
_uri = lazy_pattern(rf"{_HOST}(?:[/?]{_RUN})?+(?:#{_RUN})?+")
#: The same for many lines at once: first the characters, by a translation that deletes every
#: legal one, then the shape of the lines.
_LINES = rf"(?:{_HOST}(?:[/?#].*+)?+\n)*+".encode()
#: Surely not too long.
_SHORT_LINES = _LINES.replace(b"]*+", b"]{,256}+").replace(b".*+", b".{,1700}+")
#: What is odd about these characters. (Alternatives in one pattern are slow to search.)
_ODD = {b"%": rb"%(?![0-9A-Fa-f]{2})", b"#": rb"#.*#"}
#: Lines with a plain host in lower case or an IPv4 address, no port that may be the default, and no
#: escapes but of letters beyond ASCII. Apostrophes are escaped in queries.
_NORMAL_CHARS = _CHARS.replace("'", "") + "#"
_NORMAL_RUN = rf"[{_NORMAL_CHARS}]*+(?:%[89A-F][0-9A-F][{_NORMAL_CHARS}]*+)*+"
_NORMAL_NAME = r"(?:[a-z0-9_][a-z0-9_-]*+\.)++[a-z][a-z0-9-]*+"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_NORMAL_PORT = r"(?::(?!80/|443/)(?:[1-5][0-9]{4}|[1-9][0-9]{0,3}))?+"
_NORMAL_HOST = rf"(?:{_NORMAL_NAME}|(?:{_BYTE}\.){{3}}{_BYTE}){_NORMAL_PORT}"
_NORMAL = rf"https?://{_NORMAL_HOST}/{_NORMAL_RUN}"
_normal_lines = lazy_pattern(rf"(?:{_NORMAL}\n)*+")
#: Such lines, and then the first other one.
_NEXT_OTHER_LINE = rf"(?:{_NORMAL}\n)*+(.*)\n?"
_PARTS = r"(?s)([^:/?#]+://)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?"
#: The authority of a URL of any scheme: a colon after the host begins a port.
_OTHER_AUTHORITY = r"//(?:[^/?#@]*@)?[^/?#@:]*(?::[0-9]{1,5})?(?:[/?#]|\Z)"
_FORBIDDEN = rf"%(?![0-9A-Fa-f]{{2}})|[^{_CHARS}%]"


@cache
def _legal() -> bytes:
    return re.sub(rf"[^{_CHARS}%#\n]", "", bytes(range(128)).decode()).encode()


def are_uri_lines(text: str) -> bool:
    """Return whether `to_uri` would keep all of these lines letter for letter; each has its end."""
    if not text.isascii():
        return False
    lines = text.encode()
    if lines.translate(None, _legal()):
        return False
    if re.fullmatch(_SHORT_LINES, lines) is None and (
        re.fullmatch(_LINES, lines) is None or max(map(len, lines.split(b"\n"))) > MAX_LENGTH
    ):
        return False
    return not any(character in lines and re.search(odd, lines) for character, odd in _ODD.items())


def to_uri(url: str) -> str | None:
    """
    Write a URL as RFC 3986 has it: escapes for what it forbids, an international host in ASCII.

    What is legal already stays letter for letter. Before a query, a backslash is a slash, as it is
    for browsers (https://url.spec.whatwg.org/#path-start-state).

    Returns:
        None if it cannot be one: not http(s), no host, a bad port, or too long.

    >>> to_uri("https://müller.example/straße?q=a b")
    'https://xn--mller-kva.example/stra%C3%9Fe?q=a%20b'

    """
    if _uri.fullmatch(url) is None:
        if "\\" in url:
            url = re.sub(r"^[^?#]+", lambda m: m[0].replace("\\", "/"), url)
        m = re.fullmatch(_PARTS, url)
        if m is None or not is_absolute(url):
            return None
        scheme, authority, *rest = m.groups(default="")
        if sum(map(len, rest)) > MAX_LENGTH:  # escapes only make it longer
            return None
        host = authority if re.fullmatch(_PLAIN_HOST, authority) else _ascii_host(scheme, authority)
        if host is None:
            return None
        url = scheme + host + "".join(part[:1] + _escaped(part[1:]) for part in rest)
    return url if len(url) <= MAX_LENGTH else None


def normal(url: str) -> str:
    """
    Write a URL as all equal ones are written: https://url.spec.whatwg.org/#url-equivalence

    Host in lower case and ASCII, no default port, no dot segments, escapes only where they are
    needed and in capitals (https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2). What is no URL
    stays as it is.

    >>> normal("HTTP://Example.COM:80/a/../%7ejo/caf%c3%a9")
    'http://example.com/~jo/caf%C3%A9'

    """
    from can_ada import parse

    try:
        href = str(parse(to_uri(url) or url).href)
    except ValueError:
        return url
    return re.sub("%[0-9A-Fa-f]{2}", _normal_escape, href) if "%" in href else href


def canonical(url: str) -> str:
    """
    Write a URL as `normal` does, without user and fragment. What is not a URL stays as it is.

    >>> canonical("HTTPS://user@Example.com:443/a/../b#c")
    'https://example.com/b'

    """
    href = normal(url)
    return without_user(href).partition("#")[0] if re.match(SCHEME, href) else url


def _normal_escape(m: re.Match[str]) -> str:
    return _spelt(m[0])


@cache
def _spelt(escape: str) -> str:
    """Spell an escape as all equal ones are spelt; there are few of them."""
    character = chr(int(escape[1:], 16))
    return character if re.match(r"[A-Za-z0-9\-._~]", character) else escape.upper()


def are_normal(urls: Sequence[str]) -> bool:
    """Return whether `normal` would surely keep all of these, of which many may be equal."""
    different = {*urls}
    text = "\n".join([*different, ""])
    return text.count("\n") == len(different) and _are_normal_lines(text)


def _are_normal_lines(text: str) -> bool:
    return "/." not in text and _normal_lines.fullmatch(text) is not None


def normals(urls: Sequence[str], lines: str | None = None) -> Sequence[str]:
    """
    Write each URL as `normal` does; one that is empty, or surely normal, stays as it is.

    Args:
        lines: All of them, each with a line feed, where that is at hand.

    """
    text = "\n".join([*urls, ""]) if lines is None else lines
    if text.count("\n") != len(urls):  # there are line feeds in them
        return [normal(url) if url else url for url in urls]
    if _are_normal_lines(text):
        return urls
    others = set(re.findall(_NEXT_OTHER_LINE, text)) - {""}
    if "/." in text:
        others.update(url for url in urls if "/." in url)
    spellings = {url: normal(url) for url in others}
    return [spellings.get(url, url) for url in urls]


def _ascii_host(scheme: str, authority: str) -> str | None:
    """Let a WHATWG parser judge user, host and port, and write what is not legal in ASCII."""
    from can_ada import parse

    try:
        parsed = parse(f"{scheme}{authority}/")
    except ValueError:
        return None
    if not re.fullmatch(_LEGAL_HOST, parsed.hostname):
        return None
    if re.fullmatch(_LEGAL_AUTHORITY, authority):
        return authority
    user = f"{parsed.username}:{parsed.password}".rstrip(":")
    return f"{user}@{parsed.host}" if user else str(parsed.host)


def escaped(name: str) -> str:
    """Escape the name of a file for the path of a URL."""
    return _escaped(name).replace("?", "%3F")


def _escaped(text: str) -> str:
    """Escape what RFC 3986 forbids everywhere."""
    return re.sub(_FORBIDDEN, _percent, text)


def _percent(m: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in m[0].encode("utf-8", "surrogatepass"))


def to_other_uri(url: str) -> str | None:
    """Escape what RFC 3986 forbids in a URL of any scheme but http, such as an app link."""
    if is_absolute(url) or not re.match(SCHEME, url) or len(url) > MAX_LENGTH:
        return None
    scheme, _, rest = url.partition(":")
    if scheme.lower() in ("http", "https"):
        return None
    start, delimiter, fragment = rest.partition("#")
    if start.startswith("//") and not re.match(_OTHER_AUTHORITY, start):
        return None
    return f"{scheme}:{_escaped(start)}{delimiter}{_escaped(fragment)}"
