"""URLs as published, the form in which the model stores them; `uris` converts them to URIs."""

import codecs
import re
from collections.abc import Callable
from functools import lru_cache

from sitemapx.errors import UsageError
from sitemapx.patterns import lazy_pattern

TYPE_CHECKING = False  # importing typing takes longer than reading most sitemaps
if TYPE_CHECKING:
    from pywhatwgurl import URL

#: Codec error handler for URLs: bytes that are not UTF-8 are percent-encoded, as crawlers request
#: them (RFC 9309, 2.2.2). `b"/caf\xe9".decode("utf-8", PERCENT_ENCODED)` is "/caf%E9".
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
#: Matches the gap between two URLs.
_between = lazy_pattern(rf"\s{_HTTP}")
#: The scheme of any URL.
SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:"
_malformed = lazy_pattern(
    r"(?i:undefined|null|none|nan|#)\Z|[<>\"{}|^`\[\]]|[^\w\s/.?#]*+(?i:https?:?+//)"
)
_NO_IRI = r"[\x00-\x20\x7f<>\"{}|\\^`]"
#: Matches a line break with indentation, the result of wrapping the file.
_WRAPPING = rf"\s*[\t\r\n]\s*+(?!{_HTTP})"
#: Scheme, host and port of a URL; matching is ten times as fast as urllib.parse.
_SITE = rf"({_HTTP})(?:[^/?#\\]*@)?([^/?#\\]*)"
_NORMAL_NAME = r"(?:[a-z0-9_][a-z0-9_-]*+\.)++[a-z][a-z0-9-]*+"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_NORMAL_PORT = r"(?::(?!(?:80|443)\b)(?:[1-5][0-9]{4}|[1-9][0-9]{0,3}))?+"
#: Matches only normalized schemes, hosts and ports: a plain host in lower case or an IPv4 address,
#: and no default port.
NORMAL_SITE = rf"https?://(?:{_NORMAL_NAME}|(?:{_BYTE}\.){{3}}{_BYTE}){_NORMAL_PORT}"
_normal_site = lazy_pattern(rf"{NORMAL_SITE}(?=[/?#]|\Z)")
#: Matches scheme and authority, unless browsers would repair the URL first.
START = rf"{_HTTP}[^/?#\\\x00-\x20]++(?=[/?#\\]|\Z)"
#: Characters that str.strip() does not remove: the BOM and the zero-width space.
_EDGES = "\ufeff\u200b"


def clean(text: str) -> str:
    """Remove whitespace around a URL, and tabs and line breaks with indentation inside it."""
    text = _trim(text)
    return re.sub(_WRAPPING, "", text) if _may_be_wrapped(text) else text


def is_wrapped(text: str) -> bool:
    """Return whether `clean` removes tabs or line breaks inside a URL."""
    return _may_be_wrapped(text) and clean(text) != _trim(text)


def _trim(text: str) -> str:
    return text.strip().strip(_EDGES).strip()


def _may_be_wrapped(text: str) -> bool:
    return "\n" in text or "\t" in text or "\r" in text


def is_absolute(url: str) -> bool:
    """Return whether a text begins with http(s):// and a host, and is not several URLs."""
    if _absolute(url) is None:
        return False
    return not ((" " in url or "\n" in url) and _between.search(url))


def is_iri(text: str) -> bool:
    """Return whether a text has a scheme, and no ASCII character that RFC 3987 forbids in IRIs."""
    return re.match(SCHEME, text) is not None and re.search(_NO_IRI, text) is None


def derive_iri(text: str) -> str:
    """
    Derive an IRI from a text: a version 5 UUID (RFC 9562).

    >>> derive_iri("123")
    'urn:uuid:b9b6607d-6974-594f-8e99-ac3de71c4d89'
    """
    from uuid import NAMESPACE_URL, uuid5

    return f"urn:uuid:{uuid5(NAMESPACE_URL, text)}"


def is_malformed(text: str) -> bool:
    """
    Return whether a text without a scheme cannot be a relative URL.

    Such a text is a placeholder such as `undefined` or `#`, or begins with a quote, a bracket or a
    damaged scheme, as in `:https//`.
    """
    return _malformed.match(text) is not None


def join(url: str, base: str | None) -> str | None:
    """
    Make a relative URL absolute (RFC 3986); a URL with a scheme is returned unchanged.

    Return None without a base, or if the URL is malformed or a placeholder.
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
    return re.sub(r"(?<=://)[^/?#\\]*@", "", url, count=1)


def without_password(text: str) -> str:
    """
    Mask passwords in the URLs of a text, even of URLs without a scheme or with a missing slash.

    >>> without_password("see https://me:secret@example.com/a@b, or //me:se cret@example.com")
    'see https://me:***@example.com/a@b, or //me:***@example.com'
    """
    if "@" not in text:
        return text
    return re.sub(r"(?<=[:/]/)([^/?#:@\n]*:)[^/?#\n]*@", r"\1***@", text)


def site(url: str) -> str:
    """
    Return scheme, host and port as written, in lower case; empty unless the URL is http(s).

    For a normalized URL, the result equals that of `origin`, which is slower.

    >>> site("https://user@Example.com:8080/a?b")
    'https://example.com:8080'
    """
    m = re.match(_SITE, url)
    return f"{m[1]}{m[2]}".lower() if m else ""


def authority(url: str) -> str:
    """
    Return host and port as written, in lower case; empty unless the URL is http(s).

    >>> authority("https://user@Example.com:8080/a?b")
    'example.com:8080'
    """
    return site(url).partition("://")[2]


def origin(url: str) -> str:
    """
    Return the normalized scheme, host and port: the scope of a robots.txt.

    The result is empty for a text that is not an absolute URL, and "null" for a URL whose scheme
    has no origin, such as `mailto:` (https://url.spec.whatwg.org/#origin).

    >>> origin("HTTPS://Example.com:443/page")
    'https://example.com'
    """
    if m := _normal_site.match(url):
        return m[0]
    m = re.match(START, url)
    parsed = parse(f"{m[0]}/" if m else url)
    return parsed.origin if parsed else ""


@lru_cache(1024)
def parse(url: str) -> "URL | None":
    """Parse an absolute URL as browsers do (https://url.spec.whatwg.org); None if it is invalid."""
    if ":" not in url:
        return None
    from pywhatwgurl import URL

    try:
        return URL(url)
    except ValueError:
        return None


def host(url: str) -> str:
    """
    Return the normalized host and port; empty if there is no host.

    >>> host("https://user@Example.com:443/page")
    'example.com'
    """
    return origin(url).partition("://")[2]


def hostname(url: str) -> str:
    """
    Return the normalized host without port; empty for a URL without host.

    >>> hostname("https://user@Example.com:8080/page")
    'example.com'
    """
    return re.sub(":[0-9]+$", "", host(url))


#: Predicate for URLs.
Matcher = Callable[[str], object]


def matcher(pattern: str) -> Matcher:
    """
    Return a function whose result is true for URLs that match a pattern.

    `sitemapx.convert.steps.include` describes the patterns. An invalid regular expression, or a
    glob that begins unlike any URL, raises `UsageError`.

    >>> [bool(matcher("/blog/*")(f"https://example.com/{path}")) for path in ("blog/a?b", "b")]
    [True, False]
    """
    import fnmatch
    import warnings

    if not pattern.startswith("re:"):
        literal = re.split(r"[*?[]", pattern)[0]
        starts = ("http://", "https://")
        if literal[:1] != "/" and not any(
            start.startswith(literal) or literal.lower().startswith(start) for start in starts
        ):
            raise UsageError(
                f"{pattern!r} matches no URL: a glob must match the whole URL, such as "
                f"'*{pattern}*', or the part after the host, such as '/{pattern}*'"
            )
        host = r"[^/]*//[^/?#]*" if pattern.startswith("/") else ""
        return re.compile(host + fnmatch.translate(pattern)).match
    expression = pattern.removeprefix("re:")
    try:
        with warnings.catch_warnings(action="ignore"):  # warnings about future syntax
            return re.compile(expression).search
    except re.error as error:
        where = f" at character {error.pos + 1}" if error.pos is not None else ""
        raise UsageError(
            f"{expression!r} is not a regular expression: {error.msg}{where}"
        ) from error
    except (OverflowError, RecursionError) as error:
        raise UsageError(f"{expression!r} is not a regular expression: {error}") from error
