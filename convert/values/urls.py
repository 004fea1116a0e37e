"""
URLs as published, which is how the model keeps them; `uris` makes them RFC 3986.

https://www.rfc-editor.org/rfc/rfc3986; hosts are parsed as https://url.spec.whatwg.org says.
"""

import codecs
import re
from collections.abc import Callable

from sitemapx.errors import UsageError
from sitemapx.patterns import lazy_pattern

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

_HTTP = "[Hh][Tt][Tt][Pp][Ss]?://"
_absolute = re.compile(rf"{_HTTP}[^/?#\s]").match
#: What stands between two URLs.
_between = lazy_pattern(rf"\s{_HTTP}")
#: How a URL begins, of whatever scheme.
SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:"
_malformed = lazy_pattern(
    r"(?i:undefined|null|none|nan|#)\Z|[<>\"{}|^`\[\]]|[^\w\s/.?#]*+(?i:https?:?+//)"
)
_NO_IRI = r"[\x00-\x20\x7f<>\"{}|\\^`]"
#: A line break with the indentation around it, put in by whoever wrapped the file.
_WRAPPING = rf"\s*[\t\r\n]\s*+(?!{_HTTP})"
#: What urllib.parse finds as well, in ten times the time.
_SITE = rf"({_HTTP})(?:[^/?#\\]*@)?([^/?#\\]*)"
#: str.strip() takes NBSP and its kin, but not the BOM and the zero-width space.
_EDGES = "\ufeff\u200b"


def clean(text: str) -> str:
    """Take away white space around a URL, and line breaks with their indentation inside it."""
    text = _trimmed(text)
    return re.sub(_WRAPPING, "", text) if _may_be_wrapped(text) else text


def is_wrapped(text: str) -> bool:
    """Return whether `clean` takes more away than the white space around a URL."""
    return _may_be_wrapped(text) and clean(text) != _trimmed(text)


def _trimmed(text: str) -> str:
    return text.strip().strip(_EDGES).strip()


def _may_be_wrapped(text: str) -> bool:
    return "\n" in text or "\t" in text or "\r" in text


def is_absolute(url: str) -> bool:
    """Return whether this is an http(s) URL with a host; two with white space between are none."""
    if _absolute(url) is None:
        return False
    return not ((" " in url or "\n" in url) and _between.search(url))


def is_iri(text: str) -> bool:
    """Return whether this is an IRI, of whatever scheme: https://www.rfc-editor.org/rfc/rfc3987."""
    return re.match(SCHEME, text) is not None and re.search(_NO_IRI, text) is None


def derived(text: str) -> str:
    """
    Make an IRI of any text, the same of the same: a UUID of version 5 (RFC 9562).

    >>> derived("123")
    'urn:uuid:b9b6607d-6974-594f-8e99-ac3de71c4d89'
    """
    from uuid import NAMESPACE_URL, uuid5

    return f"urn:uuid:{uuid5(NAMESPACE_URL, text)}"


def is_malformed(text: str) -> bool:
    """Return whether this is a placeholder such as `undefined` or `#`, or a URL in quotes."""
    return _malformed.match(text) is not None


def join(url: str, base: str | None) -> str | None:
    """
    Make a relative URL absolute, as browsers do; one with a scheme stays as it is.

    Returns:
        The absolute URL; None if there is no base, or if the value is a placeholder such as
        `undefined`.

    """
    if re.match(SCHEME, url):
        return url
    if not base or is_malformed(url):
        return None
    from urllib.parse import urljoin

    try:
        return urljoin(base, url)
    except ValueError:
        return None


def without_user(url: str) -> str:
    """Leave out the user and the password of a URL."""
    return re.sub(r"(?<=://)[^/?#\\]*@", "", url, count=1)


def without_password(text: str) -> str:
    """
    Mask the passwords of the URLs in a text, also of URLs without a scheme or one of the slashes.

    >>> without_password("see https://me:secret@example.com/a@b, or //me:se cret@example.com")
    'see https://me:***@example.com/a@b, or //me:***@example.com'

    """
    if "@" not in text:
        return text
    return re.sub(r"(?<=[:/]/)([^/?#:@\n]*:)[^/?#\n]*@", r"\1***@", text)


def site(url: str) -> str:
    """
    Return scheme, host and port as they are written, in lower case; empty if there are none.

    For URLs in one spelling this is the origin, found without a parser.

    >>> site("https://user@Example.com:8080/a?b")
    'https://example.com:8080'

    """
    m = re.match(_SITE, url)
    return f"{m[1]}{m[2]}".lower() if m else ""


def authority(url: str) -> str:
    """
    Return host and port as they are written, in lower case; empty if there are none.

    >>> authority("https://user@Example.com:8080/a?b")
    'example.com:8080'

    """
    return site(url).partition("://")[2]


def origin(url: str) -> str:
    """
    Return scheme, host and port, in one spelling: what a robots.txt is for. Empty if there is none.

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
    Return host and port, in one spelling and without user; empty if there is none.

    >>> host("https://user@Example.com:443/page")
    'example.com'

    """
    return origin(url).partition("://")[2]


def hostname(url: str) -> str:
    """
    Return the host without the port, in one spelling; empty if there is none.

    >>> hostname("https://user@Example.com:8080/page")
    'example.com'

    """
    return re.sub(":[0-9]+$", "", host(url))


#: Tells whether a URL matches a pattern.
Matcher = Callable[[str], object]


def matcher(pattern: str) -> Matcher:
    """
    Make the function that tells whether a URL matches.

    Raises:
        UsageError: If this is no regular expression; it says where.

    >>> [bool(matcher("/blog/*")(f"https://example.com/{path}")) for path in ("blog/a?b", "b")]
    [True, False]

    """
    import fnmatch
    import warnings

    if not pattern.startswith("re:"):
        host = r"[^/]*//[^/?#]*" if pattern.startswith("/") else ""
        return re.compile(host + fnmatch.translate(pattern)).match
    expression = pattern.removeprefix("re:")
    try:
        with warnings.catch_warnings(action="ignore"):  # of what a later Python reads otherwise
            return re.compile(expression).search
    except re.error as error:
        where = f" at character {error.pos + 1}" if error.pos is not None else ""
        raise UsageError(
            f"{expression!r} is not a regular expression: {error.msg}{where}"
        ) from error
    except (OverflowError, RecursionError) as error:
        raise UsageError(f"{expression!r} is not a regular expression: {error}") from error
