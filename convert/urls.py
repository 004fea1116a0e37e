"""
URLs: kept as published in the model, made RFC 3986 for formats that search engines read.

https://www.rfc-editor.org/rfc/rfc3986; hosts are parsed as https://url.spec.whatwg.org says.
"""

import codecs
import re
from collections.abc import Sequence
from functools import cache

__all__ = [
    "MAX_LENGTH",
    "PERCENT_ENCODED",
    "are_normal",
    "are_uri_lines",
    "canonical",
    "clean",
    "derived",
    "escaped",
    "host",
    "is_absolute",
    "is_iri",
    "normal",
    "origin",
    "resolve",
    "to_other_uri",
    "to_uri",
    "without_user",
]

#: How to decode URLs with bytes that are not UTF-8: as crawlers request them (RFC 9309, 2.2.2).
#: `b"/caf\xe9".decode("utf-8", PERCENT_ENCODED)` is "/caf%E9".
PERCENT_ENCODED = "sitemapx-percent-encoded"


def _percent_encoded(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    wrong = error.object[error.start : error.end]
    return "".join(f"%{byte:02X}" for byte in wrong), error.end


codecs.register_error(PERCENT_ENCODED, _percent_encoded)

#: sitemaps.org: a loc "must be less than 2,048 characters".
MAX_LENGTH = 2047

#: What is not compiled here is when it is needed: compiling takes a good part of a short run.
#: What RFC 3986 allows after the host, the percent sign of an escape aside. Square brackets are
#: legal in a host only, and so rare there that they take the long way.
_CHARS = r"A-Za-z0-9\-._~:/?@!$&'()*+,;="
_HOST = r"https?://[A-Za-z0-9][A-Za-z0-9._-]*+(?::(?:[1-5][0-9]{4}|[0-9]{1,4}))?+"
_PLAIN_HOST = _HOST.removeprefix("https?://")
_LEGAL_HOST = r"[A-Za-z0-9._~!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\]"
_RUN = rf"[{_CHARS}]*+(?:%[0-9A-Fa-f]{{2}}[{_CHARS}]*+)*+"
_uri = re.compile(rf"{_HOST}(?:[/?]{_RUN})?+(?:#{_RUN})?+").fullmatch
#: The same for many lines at once: first the characters, by a translation that deletes every
#: legal one, then the shape of the lines.
_LINES = rf"(?:{_HOST}(?:[/?#].*+)?+\n)*+".encode()
#: Surely not too long.
_SHORT_LINES = _LINES.replace(b"]*+", b"]{,256}+").replace(b".*+", b".{,1700}+")
#: What is odd about these characters. (Alternatives in one pattern are slow to search.)
_ODD = {b"%": rb"%(?![0-9A-Fa-f]{2})", b"#": rb"#.*#"}
#: Lines with a plain host in lower case, no port, and no escapes but of letters beyond ASCII.
_NORMAL_RUN = rf"[{_CHARS}#]*+(?:%[89A-F][0-9A-F][{_CHARS}#]*+)*+"
_NORMAL_LINES = rf"(?:https?://(?:[a-z0-9_][a-z0-9_-]*+\.)++[a-z][a-z0-9-]*+/{_NORMAL_RUN}\n)*+"
_absolute = re.compile(r"[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s]").match
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:"
_NO_IRI = r"[\x00-\x20\x7f<>\"{}|\\^`]"
_PARTS = r"(?s)([^:/?#]+://)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?"
_FORBIDDEN = rf"%(?![0-9A-Fa-f]{{2}})|[^{_CHARS}%]"
#: A line break with the indentation around it, put in by whoever wrapped the file.
_WRAPPING = r"\s*[\t\r\n]\s*"
#: str.strip() takes NBSP and its kin, but not the BOM and the zero-width space.
_EDGES = "\ufeff\u200b"


def clean(text: str) -> str:
    """Take away white space around a URL, and line breaks with their indentation inside it."""
    text = text.strip().strip(_EDGES).strip()
    return re.sub(_WRAPPING, "", text) if "\n" in text or "\t" in text or "\r" in text else text


def is_absolute(url: str) -> bool:
    """Tell whether this is an http(s) URL with a host."""
    return _absolute(url) is not None


def is_iri(text: str) -> bool:
    """Tell whether this is an IRI, of whatever scheme: https://www.rfc-editor.org/rfc/rfc3987."""
    return re.match(_SCHEME, text) is not None and re.search(_NO_IRI, text) is None


def derived(text: str) -> str:
    """
    Make an IRI of any text, the same of the same: a UUID of version 5 (RFC 9562).

    >>> derived("123")
    'urn:uuid:b9b6607d-6974-594f-8e99-ac3de71c4d89'
    """
    from uuid import NAMESPACE_URL, uuid5

    return f"urn:uuid:{uuid5(NAMESPACE_URL, text)}"


def resolve(url: str, base: str | None) -> str | None:
    """
    Make a relative URL absolute; one with a scheme of its own stays as it is.

    Returns:
        None where that needs a base, and there is none.

    """
    if re.match(_SCHEME, url):
        return url
    if not base:
        return None
    from urllib.parse import urljoin

    try:
        return urljoin(base, url)
    except ValueError:
        return None


def without_user(url: str) -> str:
    """Leave out the user and the password of a URL."""
    return re.sub(r"(?<=://)[^/?#]*@", "", url, count=1)


def canonical(url: str) -> str:
    """
    Write a URL in the one way that all spellings of it share, without user and fragment.

    >>> canonical("HTTPS://Example.com:443/a/../b#c")
    'https://example.com/b'

    """
    from can_ada import parse

    try:
        parsed = parse(url)
    except ValueError:
        return url
    return f"{parsed.protocol}//{parsed.host}{parsed.pathname}{parsed.search}"


@cache
def _legal() -> bytes:
    return re.sub(rf"[^{_CHARS}%#\n]", "", bytes(range(128)).decode()).encode()


def are_uri_lines(text: str) -> bool:
    """Tell whether `to_uri` would keep all of these lines letter for letter; each has its end."""
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

    What is legal already stays letter for letter.

    Returns:
        None if it cannot be one: not http(s), no host, a bad port, or too long.

    >>> to_uri("https://müller.example/straße?q=a b")
    'https://xn--mller-kva.example/stra%C3%9Fe?q=a%20b'

    """
    if _uri(url) is None:
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
        href = str(parse(url).href)
    except ValueError:
        return url
    return re.sub("%[0-9A-Fa-f]{2}", _normal_escape, href) if "%" in href else href


def _normal_escape(m: re.Match[str]) -> str:
    return _spelt(m[0])


@cache
def _spelt(escape: str) -> str:
    """Spell an escape as all equal ones are spelt; there are few of them."""
    character = chr(int(escape[1:], 16))
    return character if re.match(r"[A-Za-z0-9\-._~]", character) else escape.upper()


def are_normal(urls: Sequence[str]) -> bool:
    """Tell, all at once, that `normal` would keep these; False may be wrong."""
    text = "\n".join(urls) + "\n"
    if text.count("\n") != len(urls) or "/." in text or "'" in text:
        return False
    return re.fullmatch(_NORMAL_LINES, text) is not None


def _ascii_host(scheme: str, authority: str) -> str | None:
    """Let a WHATWG parser judge user, host and port, and put the host into ASCII."""
    from can_ada import parse

    if "\\" in authority:  # WHATWG takes it for a slash, and the rest for a path
        return None
    try:
        parsed = parse(f"{scheme}{authority}/")
    except ValueError:
        return None
    if not re.fullmatch(_LEGAL_HOST, parsed.hostname):
        return None
    user = f"{parsed.username}:{parsed.password}".rstrip(":")
    return f"{user}@{parsed.host}" if user else str(parsed.host)


def origin(url: str) -> str:
    """
    Tell scheme, host and port, in one spelling: what a robots.txt is for. Empty if there is none.

    >>> origin("HTTPS://Example.com:443/page")
    'https://example.com'

    """
    from can_ada import parse

    try:
        return str(parse(url).origin)
    except ValueError:
        return ""


def host(url: str) -> str:
    """
    Tell host and port, in one spelling and without user; empty if there is none.

    >>> host("https://user@Example.com:443/page")
    'example.com'

    """
    return origin(url).partition("://")[2]


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
    if is_absolute(url) or not re.match(_SCHEME, url) or len(url) > MAX_LENGTH:
        return None
    scheme, _, rest = url.partition(":")
    if scheme.lower() in ("http", "https"):
        return None
    start, mark, fragment = rest.partition("#")
    return f"{scheme}:{_escaped(start)}{mark}{_escaped(fragment)}"
