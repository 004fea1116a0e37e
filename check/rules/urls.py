"""Rules for single URLs: length, characters, host, and parts that a page URL must not have."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import ClassVar

from sitemapx.check.api import BatchResult, Check
from sitemapx.check.edits import syntax
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchUrls, BatchView, File, FileExtent
from sitemapx.convert.http.ssrf import is_public
from sitemapx.convert.values import uris, urls

_LOC = "https://www.sitemaps.org/protocol.html#locdef"
_ESCAPING = "https://www.sitemaps.org/protocol.html#escaping"
_RFC = "https://www.rfc-editor.org/rfc/rfc3986"
_BUILD = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap"
_STRUCTURE = "https://developers.google.com/search/docs/crawling-indexing/url-structure"

_user = re.compile(r"^[^/]*//[^/?#]*@").match
#: Lower-case substrings; every URL with a session ID contains at least one. Grouped by a shorter
#: substring that they share.
_SESSION_SIGNS = {
    "sess": ("sess",),
    "id=": ("sid=", "zenid="),
    "s=": ("?s=", "&s=", ";s="),
    "cftoken=": ("cftoken=",),
    "(": ("/(s(",),
}
_has_local_name = re.compile(r"[^.\[]+|.*\.(?:local|localhost)").fullmatch
_is_ip_address = re.compile(r"[0-9.]+|\[.+").fullmatch
#: Matches parameters that are always session IDs, parameters that are session IDs if the value
#: looks like one, and session IDs in paths.
_session = re.compile(
    r"[?&;](?:phpsessid|jsessionid|aspsessionid[a-z]*|asp\.net_sessionid|sessionid|session_id"
    r"|sessid|oscsid|zenid|cftoken|xtcsid|_session)=[^&#;]"
    r"|[?&;](?:sid|session|s)=(?=[^&#;]*[0-9])[0-9a-z_-]{16,}(?:[&#;]|$)"
    r"|/\(S\([0-9a-z]{10,}\)\)/",
    re.IGNORECASE,
).search

#: Other suspicious parts of URLs: (a character in every match, lower-case substrings of which every
#: match contains at least one, search function, message). The value of a parameter `token` must
#: look like a token.
_TRACES = {
    "loc-secret": (
        "=",
        ("pass", "pwd=", "key=", "secret=", "token="),
        re.compile(
            r"[?&;](?:password|passwd|pwd|api_?key|client_secret|access_token|auth_?token)=[^&#;]"
            r"|[?&;]token=(?=[^&#;]*[0-9])[0-9a-z_.-]{16,}(?:[&#;]|$)",
            re.IGNORECASE,
        ).search,
        "{} in URL is a secret",
    ),
    "loc-tracking": (
        "=",
        ("utm_", "clid="),
        re.compile(r"[?&;](?:utm_[a-z]+|(?:g|fb|ms|y)clid)=", re.IGNORECASE).search,
        "{} in URL is a tracking parameter",
    ),
    "loc-admin": (
        "/",
        ("/wp-", "admin"),
        re.compile(
            r"(?<=[^:/=])/(?:wp-admin(?=/)|wp-login\.php|phpmyadmin(?=/))", re.IGNORECASE
        ).search,
        "{} in URL is a page for administrators",
    ),
}
_staging = re.compile(r"(?:.+\.)?(?:staging|preprod|uat)(?:\.[a-z0-9-]+){2,}").fullmatch


class Addresses(Check):
    """Checks the URL of each entry."""

    rules: ClassVar = {
        "loc-too-long": Rule(
            "error",
            "URL is 2,048 characters or longer",
            "A URL in a sitemap must be shorter than 2,048 characters.",
            _LOC,
            "Give the page a shorter URL.",
        ),
        "loc-character": Rule(
            "error",
            "Illegal character in URL",
            "Spaces, quotes, brackets and similar characters must be percent-encoded.",
            f"{_RFC}#section-2",
            "Percent-encode the character, such as %20 for a space.",
            is_fixable=True,
        ),
        "loc-non-ascii": Rule(
            "warning",
            "Unencoded non-ASCII character in URL",
            "URLs must be ASCII; otherwise, servers may use another encoding.",
            _ESCAPING,
            "Percent-encode the characters as UTF-8; in the host, use Punycode (xn--).",
            is_fixable=True,
        ),
        "loc-escape": Rule(
            "error",
            "Invalid percent-encoding in URL",
            "% must be followed by two hexadecimal digits; servers handle anything else "
            "differently.",
            f"{_RFC}#section-2.1",
            "Write %25 for a literal percent sign.",
            is_fixable=True,
        ),
        "loc-host": Rule(
            "error",
            "Invalid host or port in URL",
            "Such a host or port cannot exist, so the page cannot be fetched.",
            f"{_RFC}#section-3.2.2",
            "Fix the host name or the port.",
        ),
        "loc-local": Rule(
            "error",
            "URL on a local or private host",
            "Search engines cannot fetch it; the sitemap was probably generated on a local server.",
            _LOC,
            "Write the public URL of the site.",
            is_summary=True,
        ),
        "loc-fragment": Rule(
            "warning",
            "Fragment in URL",
            "The part after # is not sent to the server, and search engines ignore it.",
            f"{_STRUCTURE}#fragments",
            "Omit the fragment, and list each page once.",
        ),
        "loc-session": Rule(
            "warning",
            "Session ID in URL",
            "Session IDs create many URLs for one page and waste crawl budget.",
            f"{_STRUCTURE}#avoid-common-issues",
            "List the URL without the session ID; convert --strip-params NAMES removes parameters.",
        ),
        "loc-user": Rule(
            "warning",
            "Credentials in URL",
            "The credentials are now public, and search engines do not log in.",
            f"{_RFC}#section-3.2.1",
            "Remove the credentials, and change the password.",
        ),
        "loc-secret": Rule(
            "warning",
            "Password or access token in URL",
            "The sitemap publishes the secret, and the page may appear in search results.",
            "https://cwe.mitre.org/data/definitions/598.html",
            "Remove the URL, and change the password or revoke the token.",
        ),
        "loc-tracking": Rule(
            "warning",
            "Tracking parameter in URL",
            "The URL is a duplicate of the page without the parameter, and visits from search "
            "count as visits of the campaign.",
            f"{_STRUCTURE}#avoid-common-issues",
            "List the URL without the parameter; convert --strip-params NAMES removes parameters.",
        ),
        "loc-admin": Rule(
            "warning",
            "Administration or login page in sitemap",
            "Such a page is of no use in search results, and the sitemap shows it to attackers.",
            _BUILD,
            "Remove the URL from the sitemap.",
        ),
        "loc-staging": Rule(
            "warning",
            "URL on a host for tests",
            "The host name is that of a copy of the site for tests; such a copy should not be in "
            "search results, where it is a duplicate.",
            _BUILD,
            "Write the public URL of the site, and protect the copy with a password.",
        ),
        "loc-unusual": Rule(
            "note",
            "URL is not normalized",
            "Uppercase hosts, default ports, dot segments and unnecessary escapes create duplicate "
            "URLs.",
            f"{_RFC}#section-6",
            "Write the normalized form of the URL, everywhere.",
        ),
    }

    def begin_file(self, file: File) -> None:
        self._local: RawFinding | None = None
        self._local_count = 0

    def check_batch(self, view: BatchView) -> BatchResult:
        findings = list(self._findings(view))
        if not self.context.allows_private:
            return BatchResult(findings)
        local = [finding for finding in findings if finding.code == "loc-local"]
        return BatchResult([finding for finding in findings if finding.code != "loc-local"], local)

    def merge(self, partial: list[RawFinding] | None, batch: IndexedBatch, file: File) -> None:
        if partial:
            self._local = self._local or partial[0]
            self._local_count += len(partial)

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        if self._local:
            count = self._local_count
            more = f" (first of {count:,} URLs on such hosts)" if count > 1 else ""
            yield self._local._replace(message=self._local.message + more)

    def _findings(self, view: BatchView) -> Iterator[RawFinding]:
        batch_urls, codes = view.urls, self.context.codes
        finders: list[Callable[[str], Iterator[tuple[str, str]]]] = []
        if not view.batch.uris():
            finders.append(syntax)
        if not _CONTENTS.isdisjoint(codes) and _has_contents(batch_urls.lines):
            finders.append(_contents)
        if not _HOSTS.isdisjoint(codes) and any(
            code in codes for origin in _origins_in(batch_urls) for code in _codes_of_host(origin)
        ):
            finders.append(_host)
        places: Sequence[int] = range(len(batch_urls)) if finders else ()
        if "loc-unusual" in codes and (changed := batch_urls.unnormalized):
            places = places or sorted(changed)
            finders.append(partial(_spelling, unnormalized={batch_urls.locs[at] for at in changed}))
        for at in places:
            if urls.is_absolute(loc := batch_urls.locs[at]):
                for find in finders:
                    for code, message in find(loc):
                        yield batch_urls.finding(code, message, at)


def _origins_in(batch_urls: BatchUrls) -> Iterable[str]:
    """Return the distinct origins of the URLs; fast if all URLs have the same origin."""
    first = next(iter(_origins(batch_urls.locs[0])), "") if batch_urls.locs else ""
    if first and batch_urls.begin_with(f"{first}/"):
        return (first,)
    return set(_origins(batch_urls.lines))


_CONTENTS = frozenset({"loc-fragment", "loc-session", "loc-user", *_TRACES})


def _has_contents(text: str) -> bool:
    """Return whether any URL in a text, one per line, may have a suspicious part (quick test)."""
    if "#" in text or "@" in text:
        return True
    lower = text.lower()
    for sign, parts, find, _ in _TRACES.values():
        if sign in lower and any(map(lower.__contains__, parts)) and find(text):
            return True
    signs = (sign for part, some in _SESSION_SIGNS.items() if part in lower for sign in some)
    return any(sign in lower for sign in signs) and _session(text) is not None


def _contents(loc: str) -> Iterator[tuple[str, str]]:
    if "#" in loc:
        yield "loc-fragment", f"fragment {'#' + loc.partition('#')[2][:60]!r} in URL"
    if m := _session(loc):
        name = m[0].strip("?&;/").partition("=")[0]
        yield "loc-session", f"{name} in URL looks like a session ID"
    if _user(loc):
        yield "loc-user", "user name or password in URL"
    for code, (_, _, find, message) in _TRACES.items():
        if m := find(loc):
            yield code, message.format(m[0].strip("?&;/").partition("=")[0])


_HOSTS = frozenset({"loc-host", "loc-local", "loc-staging"})
_origins = re.compile("^[^/\n]*//[^/?#\n]*", re.MULTILINE).findall


@lru_cache
def _codes_of_host(origin: str) -> tuple[str, ...]:
    return tuple(code for code, _ in _host(origin))


def _host(loc: str) -> Iterator[tuple[str, str]]:
    host = urls.hostname(loc).rstrip(".")
    if any(not label or label[0] == "-" or label[-1] == "-" for label in host.split(".")):
        if host:
            yield "loc-host", f"invalid host {host!r}"
    elif _has_local_name(host) or _is_private(host):
        yield "loc-local", f"host {host} is not reachable from the internet"
    elif _staging(host):
        yield "loc-staging", f"host {host} is a copy of the site for tests, by its name"


def _is_private(host: str) -> bool:
    """Return whether a host is an IP address that is not on the public internet."""
    try:
        return _is_ip_address(host) is not None and not is_public(host.strip("[]"))
    except ValueError:  # not an IP address
        return False


def _spelling(loc: str, unnormalized: Collection[str]) -> Iterator[tuple[str, str]]:
    """
    Yield code and message if a URL is not normalized.

    URLs that are not even valid URIs are left to other rules.
    """
    uri = uris.to_uri(loc) if loc in unnormalized else None
    if uri and uri != (normal := uris.normalize(uri)):
        yield "loc-unusual", f"URL is not normalized; normalized form: {normal}"
