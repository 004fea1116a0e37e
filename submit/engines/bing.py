"""
Bing's Webmaster API in its JSON variant: sitemaps, URLs and inspections.

https://learn.microsoft.com/en-us/bingwebmaster/
"""

import re
from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import quote

from sitemapx.convert.values.clock import format_timestamp
from sitemapx.convert.values.uris import canonicalize
from sitemapx.errors import RefusedError
from sitemapx.submit.engines.engine import (
    EngineInfo,
    Inspection,
    InspectionQuota,
    ItemKind,
    Setup,
    SitemapReport,
    SubmissionBatch,
    whole_number,
)
from sitemapx.submit.engines.exchange import (
    REFUSED_URL_ACTION,
    Answer,
    Reply,
    Request,
    Steps,
    divide_batch,
    json_request,
    objects,
    unreadable,
    verdict,
)

_KEY_CURE = "copy the key from Bing Webmaster Tools, Settings, API access"
_SITE_CURE = "add the site to Bing Webmaster Tools and verify it there"
_LATER = "wait a few hours, then run again"
#: https://learn.microsoft.com/en-us/dotnet/api/microsoft.bing.webmaster.api.interfaces.apierrorcode
#: Code -> its name, the action, and whether all further requests would fail likewise.
_ERRORS = {
    1: ("InternalError", _LATER, True),
    2: ("UnknownError", _LATER, True),
    3: ("InvalidApiKey", _KEY_CURE, True),
    4: ("ThrottleUser: too many requests", _LATER, True),
    5: ("ThrottleHost: too many requests for this site", _LATER, True),
    6: ("UserBlocked", "contact Bing Webmaster support", True),
    7: ("InvalidUrl", REFUSED_URL_ACTION, False),
    8: (
        "InvalidParameter",
        "wait a few minutes if the site was just verified; else inspect the request with --dry-run",
        False,
    ),
    9: ("TooManySites", "", True),
    10: ("UserNotFound", _KEY_CURE, True),
    11: ("NotFound", _SITE_CURE, True),
    12: ("AlreadyExists", "", False),
    13: ("NotAllowed", _SITE_CURE, True),
    14: ("NotAuthorized", _SITE_CURE, True),
    15: ("UnexpectedState", _LATER, True),
    16: ("Deprecated", "update sitemapx", True),
}
_INVALID_URL = 7
#: Codes that a single URL of a batch may cause.
_BAD_URL = (_INVALID_URL, 8)
#: Codes that `RemoveFeed` may return for a sitemap that Bing does not list.
_PERHAPS_NOT_LISTED = (_INVALID_URL, 8, 11)
#: Codes that require a pause, mostly of hours; and the pause in seconds.
_THROTTLED, _PAUSE = (4, 5), 3600.0
#: Bit -> issue of a crawl, of which a page may have several:
#: https://learn.microsoft.com/en-us/dotnet/api/microsoft.bing.webmaster.api.interfaces.urlwithcrawlissues.crawlissues
_ISSUES = {
    1: "Code301",
    2: "Code302",
    4: "Code4xx",
    8: "Code5xx",
    16: "BlockedByRobotsTxt",
    32: "ContainsMalware",
    64: "ImportantUrlBlockedByRobotsTxt",
    128: "DnsErrors",
    256: "TimeOutErrors",
}
#: Milliseconds since 1970, perhaps with an offset, which is only for display.
_date = re.compile(r"/Date\((\d{1,14})(?:[+-]\d{4})?\)/").fullmatch
#: Reply of a method that returns no data.
_VOID = Reply(200, text='{"d":null}')


class Bing:
    about: ClassVar[EngineInfo] = EngineInfo(
        name="bing",
        title="Bing Webmaster API",
        takes={"sitemaps": 1, "urls": 500},
        endpoint="https://ssl.bing.com/webmaster/api.svc/json",
        secrets=("BING_API_KEY",),
        options={"site": "site URL in Bing Webmaster Tools, if not scheme and host"},
        sitemap_formats=("sitemap", "sitemapindex", "rss", "mrss", "atom", "text"),
        notified_by="indexnow",
        has_quota=True,
        limits="500 URLs per request, and daily and monthly quotas",
        note="Gets only sitemaps if indexnow is selected as well: since November 2025, Microsoft "
        "calls IndexNow the primary way to submit URLs.",
    )
    #: No limit is documented; ThrottleUser has been seen after many requests for single URLs.
    inspection_quota: ClassVar[InspectionQuota] = InspectionQuota(per_minute=60)

    def __init__(self, setup: Setup) -> None:
        self._base = setup.base(self.about)
        self._key = setup.secrets["BING_API_KEY"]
        self._site = setup.options.get("site", "")
        #: Site -> page, as a canonical URL -> bits of `_ISSUES`.
        self._issues: dict[str, dict[str, int]] = {}

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """Request the remaining quota; ignore errors that need not affect all batches."""
        if kind != "urls":
            return None
        named = quote(self._site or site, safe="")
        url = f"{self._base}/GetUrlSubmissionQuota?siteUrl={named}&apikey={self._key}"
        reply = yield Request("GET", url, assumed=Reply(200, text='{"d":{}}'), pause=_pause)
        answer = _interpret(reply)
        if answer.ends and (reply.status is None or "ErrorCode" in reply.object()):
            raise RefusedError(answer)
        found = reply.object().get("d")
        quotas = found.values() if isinstance(found, dict) else ()
        return min((max(quota, 0) for quota in quotas if isinstance(quota, int)), default=None)

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        content: dict[str, object] = {"siteUrl": self._site or batch.site}
        if batch.kind == "sitemaps":
            method, content["feedUrl"] = "SubmitFeed", batch.items[0].url
        else:
            method, content["urlList"] = "SubmitUrlBatch", batch.urls
        url = f"{self._base}/{method}?apikey={self._key}"
        reply = yield json_request("POST", url, content, assumed=_VOID)._replace(pause=_pause)
        answer = _interpret(reply)
        if batch.kind == "urls" and reply.object().get("ErrorCode") in _BAD_URL:
            names_url = reply.object().get("ErrorCode") == _INVALID_URL
            return divide_batch(answer, batch.urls, reply)._replace(names_url=names_url)
        return answer

    def report(self, host: str, site: str) -> Steps[Sequence[SitemapReport]]:
        found = yield from self._read("GetFeeds", site, "[]")
        return [_report(item) for item in objects(found)]

    def _read(self, method: str, site: str, dry: str, url: str = "") -> Steps[object]:
        """
        Return the data that a method of the API reads, about a site or one of its pages (`url`).

        A dry run assumes the JSON text `dry` as the data. Raises `RefusedError` if Bing refuses.
        """
        page = f"&url={quote(url, safe='')}" if url else ""
        named = quote(self._site or site, safe="")
        place = f"{self._base}/{method}?siteUrl={named}{page}&apikey={self._key}"
        reply = yield Request("GET", place, assumed=Reply(200, text=f'{{"d":{dry}}}'), pause=_pause)
        answer = _interpret(reply)
        if answer.state != "accepted":
            raise RefusedError(answer)
        return reply.object().get("d")

    def find_property(self, url: str, host: str, site: str) -> Steps[str]:
        yield from ()
        return self._site or site

    def inspect(self, url: str, host: str, site: str) -> Steps[Inspection]:
        """Request when a page was crawled, and once per site, the issues of its pages."""
        if site not in self._issues:
            listed = objects((yield from self._read("GetCrawlIssues", site, "[]")))
            self._issues[site] = {
                canonicalize(str(item.get("Url") or "")): whole_number(item.get("Issues")) or 0
                for item in listed
            }
        found = yield from self._read("GetUrlInfo", site, "null", url)
        bits = self._issues[site].get(canonicalize(url), 0)
        issues = [name for bit, name in _ISSUES.items() if bits & bit]
        return _inspection(url, found if isinstance(found, dict) else {}, issues)

    def withdraw(self, sitemap: str, host: str, site: str) -> Steps[Answer]:
        content = {"siteUrl": self._site or site, "feedUrl": sitemap}
        url = f"{self._base}/RemoveFeed?apikey={self._key}"
        reply = yield json_request("POST", url, content, assumed=_VOID)._replace(pause=_pause)
        answer = _interpret(reply)
        if reply.object().get("ErrorCode") not in _PERHAPS_NOT_LISTED:
            return answer
        try:
            listed = yield from self.report(host, site)
        except RefusedError:
            return answer
        if any(entry.url == sitemap for entry in listed):
            return answer
        return Answer("accepted", reply.status, "not listed in Bing Webmaster Tools")


def _report(found: dict[str, Any]) -> SitemapReport:
    status = str(found.get("Status") or "")
    return SitemapReport(
        url=str(found.get("Url") or ""),
        kind=str(found.get("Type") or ""),
        submitted=_moment(found.get("Submitted")),
        downloaded=_moment(found.get("LastCrawled")),
        is_pending=status.lower() == "pending",
        urls=whole_number(found.get("UrlCount")),
        status=status,
    )


def _inspection(url: str, found: dict[str, Any], issues: Sequence[str]) -> Inspection:
    """
    Convert a `UrlInfo` object of the API, which is empty for an unknown page.

    Bing reports no verdict. `HttpStatus` is 0 for a page that was not crawled.
    """
    crawled, status = _moment(found.get("LastCrawledDate")), whole_number(found.get("HttpStatus"))
    is_found = _moment(found.get("DiscoveryDate")) is not None
    return Inspection(
        url=url,
        verdict="CRAWLED" if crawled else "DISCOVERED" if is_found else "UNKNOWN",
        coverage=", ".join(issues),
        crawled=crawled,
        fetch=f"HTTP {status}" if status else "",
        robots="BLOCKED" if any("RobotsTxt" in issue for issue in issues) else "",
    )


def _moment(value: object) -> str | None:
    """Convert a date such as `/Date(1730173887265)/`; None for others, such as year 1."""
    m = _date(str(value))
    return format_timestamp(int(m[1]) / 1000) if m else None


def _pause(reply: Reply) -> float:
    return _PAUSE if reply.object().get("ErrorCode") in _THROTTLED else 0.0


def _interpret(reply: Reply) -> Answer:
    found = reply.object()
    code = found.get("ErrorCode")
    if isinstance(code, int) and code in _ERRORS:
        name, action, ends = _ERRORS[code]
        message = str(found.get("Message") or "").strip().rstrip("!.")
        reason = f"{name}: {message}" if message and message not in name else name
        return Answer("refused", reply.status, reason, reply.action or action, ends=ends)
    if reply.is_ok and "d" not in found:
        return unreadable(reply)
    return verdict(reply)
