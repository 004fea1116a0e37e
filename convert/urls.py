"""
URLs: kept as published in the model, made RFC 3986 for formats that search engines read.

https://www.rfc-editor.org/rfc/rfc3986; hosts are parsed as https://url.spec.whatwg.org says.
"""

import re
from collections.abc import Sequence

__all__ = [
    "MAX_LENGTH",
    "are_normal",
    "are_uris",
    "canonical",
    "clean",
    "escaped",
    "is_absolute",
    "normal",
    "origin",
    "resolve",
    "to_other_uri",
    "to_uri",
    "without_user",
]

#: sitemaps.org: a loc "must be less than 2,048 characters".
MAX_LENGTH = 2047

#: What RFC 3986 allows after the host, the percent sign of an escape aside. Square brackets are
#: legal in a host only, and so rare there that they take the long way.
_CHARS = r"A-Za-z0-9\-._~:/?@!$&'()*+,;="
_HOST = r"https?://[A-Za-z0-9][A-Za-z0-9._-]*+(?::[0-9]{1,4})?+"
_plain_host = re.compile(_HOST.removeprefix("https?://")).fullmatch
_legal_host = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\]").fullmatch
_RUN = rf"[{_CHARS}]*+(?:%[0-9A-Fa-f]{{2}}[{_CHARS}]*+)*+"
_uri = re.compile(rf"{_HOST}(?:[/?]{_RUN})?+(?:#{_RUN})?+").fullmatch
#: The same for many lines at once: first the characters, by a translation that deletes every
#: legal one, then the shape of the lines.
_legal = bytes(c for c in range(128) if re.match(rf"[{_CHARS}%#\n]", chr(c)))
_lines = re.compile(rf"(?:{_HOST}(?:[/?#].*+)?+\n)*+".encode()).fullmatch
_odd_in_line = re.compile(rb"%(?![0-9A-Fa-f]{2})|#.*#").search
#: Lines with a plain host in lower case, no port, and no escapes but of letters beyond ASCII.
_NORMAL_RUN = rf"[{_CHARS}#]*+(?:%[89A-F][0-9A-F][{_CHARS}#]*+)*+"
_normal_lines = re.compile(
    rf"(?:https?://(?:[a-z0-9_-]+\.)++[a-z][a-z0-9-]*+/{_NORMAL_RUN}\n)*+"
).fullmatch
_escape = re.compile(r"%([0-9A-Fa-f]{2})")
_is_unreserved = re.compile(r"[A-Za-z0-9\-._~]").match
_absolute = re.compile(r"[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s]").match
_has_scheme = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:").match
_user = re.compile(r"(?<=://)[^/?#]*@")
_parts = re.compile(r"([^:/?#]+://)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL).fullmatch
_forbidden = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_CHARS}%]")
#: A line break with the indentation around it, put in by whoever wrapped the file.
_wrapping = re.compile(r"\s*[\t\r\n]\s*")
#: str.strip() takes NBSP and its kin, but not the BOM and the zero-width space.
_EDGES = "\ufeff\u200b"


def clean(text: str) -> str:
    """Take away white space around a URL, and line breaks with their indentation inside it."""
    text = text.strip().strip(_EDGES).strip()
    return _wrapping.sub("", text) if "\n" in text or "\t" in text or "\r" in text else text


def is_absolute(url: str) -> bool:
    """Tell whether this is an http(s) URL with a host."""
    return _absolute(url) is not None


def resolve(url: str, base: str | None) -> str | None:
    """
    Make a relative URL absolute; one with a scheme of its own stays as it is.

    Returns:
        None where that needs a base, and there is none.

    """
    if _has_scheme(url):
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
    return _user.sub("", url, count=1)


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


def are_uris(urls: Sequence[str]) -> bool:
    """Tell whether `to_uri` would keep all of these letter for letter, all at once."""
    text = "\n".join(urls) + "\n"
    if (
        not text.isascii()
        or text.count("\n") != len(urls)
        or max(map(len, urls), default=0) > MAX_LENGTH
    ):
        return False
    lines = text.encode()
    if lines.translate(None, _legal) or _lines(lines) is None:
        return False
    return not ((b"%" in lines or b"#" in lines) and _odd_in_line(lines))


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
        m = _parts(url)
        if m is None or not is_absolute(url):
            return None
        scheme, authority, *rest = m.groups(default="")
        host = authority if _plain_host(authority) else _ascii_host(scheme, authority)
        if host is None:
            return None
        url = (
            scheme + host + "".join(part[:1] + _forbidden.sub(_percent, part[1:]) for part in rest)
        )
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
    return _escape.sub(_normal_escape, href) if "%" in href else href


def _normal_escape(m: re.Match[str]) -> str:
    character = chr(int(m[1], 16))
    return character if _is_unreserved(character) else m[0].upper()


def are_normal(urls: Sequence[str]) -> bool:
    """Tell, all at once, that `normal` would keep these; False may be wrong."""
    text = "\n".join(urls) + "\n"
    if text.count("\n") != len(urls) or "/." in text or "'" in text:
        return False
    return _normal_lines(text) is not None


def _ascii_host(scheme: str, authority: str) -> str | None:
    """Let a WHATWG parser judge user, host and port, and put the host into ASCII."""
    from can_ada import parse

    if "\\" in authority:  # WHATWG takes it for a slash, and the rest for a path
        return None
    try:
        parsed = parse(f"{scheme}{authority}/")
    except ValueError:
        return None
    if not _legal_host(parsed.hostname):
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


def escaped(name: str) -> str:
    """Escape the name of a file for the path of a URL."""
    return _forbidden.sub(_percent, name).replace("?", "%3F")


def _percent(m: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in m[0].encode("utf-8", "surrogatepass"))


def to_other_uri(url: str) -> str | None:
    """Escape what RFC 3986 forbids in a URL of any scheme but http, such as an app link."""
    if is_absolute(url) or not _has_scheme(url) or len(url) > MAX_LENGTH:
        return None
    scheme, _, rest = url.partition(":")
    if scheme.lower() in ("http", "https"):
        return None
    start, mark, fragment = rest.partition("#")
    return f"{scheme}:{_forbidden.sub(_percent, start)}{mark}{_forbidden.sub(_percent, fragment)}"
