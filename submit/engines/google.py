"""
Google's APIs: Search Console (sitemaps, reports and inspections), and the Indexing API.

https://developers.google.com/webmaster-tools/v1/api_reference_index;
https://developers.google.com/search/apis/indexing-api/v3/quickstart, only for pages with job
postings or live streams
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import quote

from sitemapx.convert.values import urls
from sitemapx.errors import RefusedError
from sitemapx.submit.engines.engine import (
    Engine,
    EngineInfo,
    Inspection,
    InspectionQuota,
    ItemKind,
    Setup,
    SitemapReport,
    SubmissionBatch,
    to_w3c_date,
    whole_number,
)
from sitemapx.submit.engines.exchange import (
    Answer,
    Quota,
    Reply,
    Request,
    Steps,
    json_request,
    objects,
    unreadable,
    verdict,
)

_CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS"
#: Reasons for an exceeded daily quota, with status 403 or 429.
_QUOTAS = frozenset({"quotaExceeded", "dailyLimitExceeded", "RATE_LIMIT_EXCEEDED_DAILY"})
#: Reasons for an exceeded rate limit, so that a retry after some seconds may succeed.
_RATES = frozenset(
    {"rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED", "RESOURCE_EXHAUSTED"}
)
_TOO_MANY = 429
_about_minutes = re.compile("minute|second", re.IGNORECASE).search
#: Time zone in which Google's day begins, in hours ahead of UTC: Pacific Standard Time.
_PACIFIC = -8
_OWNER = "add the service account's email address to the users of the property in Search Console"
_WORDS = {
    401: ("token is invalid or expired", "check the service account and the system clock"),
    403: ("credentials lack the required permission", _OWNER),
    404: ("property not found", "set property in [engines.google]"),
}
_NO_PROPERTY = "no Search Console property of these credentials contains this {}"
_NOT_LISTED = 404
_FINE = Reply(200)
#: Permission levels that do not suffice to submit.
_TOO_LOW = ("siteUnverifiedUser", "siteRestrictedUser")
#: https://developers.google.com/webmaster-tools/v1/urlInspection.index/inspect
_INSPECTION = "/v1/urlInspection/index:inspect"
_INSPECTION_HOST = "https://searchconsole.googleapis.com"
_INDEXING_WORDS = {
    401: ("token is invalid or expired", "check the service account and the system clock"),
    403: (
        "credentials do not own the site",
        "make the service account an owner of the property in Search Console",
    ),
    429: ("quota exceeded: 200 URLs per day", "run again tomorrow"),
}


def _error(reply: Reply) -> tuple[str, list[str]]:
    """Return the message and the reasons (machine-readable codes) in an error response."""
    error = reply.object().get("error")
    if not isinstance(error, dict):
        return "", []
    listed = [*objects(error.get("errors")), *objects(error.get("details"))]
    reasons = [str(error.get("reason")) for error in listed]
    return str(error.get("message") or ""), [*reasons, str(error.get("status"))]


def _quota_is_used_up(reply: Reply) -> bool:
    """Return whether a daily quota is used up, so that retrying is pointless."""
    message, reasons = _error(reply)
    is_of_day = "quota" in message.lower() and not _about_minutes(message)
    return not _QUOTAS.isdisjoint(reasons) or (is_of_day and not _RATES.isdisjoint(reasons))


def _is_too_fast(reply: Reply) -> bool:
    """Return whether a rate limit was exceeded, so that a retry after seconds may succeed."""
    return not (_RATES.isdisjoint(_error(reply)[1]) or _quota_is_used_up(reply))


def _interpret(reply: Reply, reasons: Mapping[int, tuple[str, str]]) -> Answer:
    """Convert a response to an answer; `reasons` are as in `verdict`."""
    message, _ = _error(reply)
    if _quota_is_used_up(reply):
        reason = f"quota exceeded: {message}"
        return Answer("refused", reply.status, reason, "run again tomorrow", ends=True)
    if _is_too_fast(reply) and reply.status == 403:
        answer = verdict(reply._replace(status=_TOO_MANY), reasons, message=message or None)
        return answer._replace(status=reply.status)
    return verdict(reply, reasons, message=message or None)


class Google:
    about: ClassVar[EngineInfo] = EngineInfo(
        name="google",
        title="Google Search Console API",
        takes={"sitemaps": 1},
        endpoint="https://www.googleapis.com/webmasters/v3",
        secrets=(_CREDENTIALS,),
        scope="https://www.googleapis.com/auth/webmasters",
        options={"property": "https://example.com/ or sc-domain:example.com, if not detected"},
        sitemap_formats=("sitemap", "sitemapindex", "rss", "mrss", "atom", "text"),
        limits="200 requests per minute",
        note="Requires sitemapx[google]. Google accepts only sitemaps, not the URLs of pages.",
    )
    #: https://developers.google.com/webmaster-tools/limits: for each property.
    inspection_quota: ClassVar[InspectionQuota] = InspectionQuota(per_minute=600, per_day=2_000)

    def __init__(self, setup: Setup) -> None:
        self._base = setup.base(self.about)
        self._inspection = urls.site(self._base) if setup.endpoints else _INSPECTION_HOST
        self._headers = {"Authorization": f"Bearer {setup.secrets[_CREDENTIALS]}"}
        self._property = setup.options.get("property", "")
        self._listed: list[dict[str, Any]] | None = None

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """Request the list of properties, whose exact names are required in later requests."""
        if self._property or self._listed is not None:
            return None
        dry = Reply(200, text=f'{{"siteEntry":[{{"siteUrl":"{site}/"}}]}}')
        reply = yield self._request("GET", f"{self._base}/sites", dry)
        found = _object(reply)
        self._listed = objects(found.get("siteEntry"))
        return None

    def _request(self, method: str, url: str, dry: Reply = _FINE) -> Request:
        # Google answers 411 to a PUT without Content-Length, which an empty body lacks.
        length = {} if method == "GET" else {"Content-Length": "0"}
        request = Request(method, url, {**self._headers, **length}, assumed=dry)
        return request._replace(is_pointless=_quota_is_used_up, is_busy=_is_too_fast)

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        # https://developers.google.com/webmaster-tools/v1/sitemaps/submit
        url = batch.items[0].url
        if not (name := self._property_of(url)):
            return Answer("refused", None, _NO_PROPERTY.format("sitemap"), _OWNER)
        reply = yield self._request("PUT", self._place(name, url))
        return _interpret(reply, _WORDS)

    def _property_of(self, url: str) -> str:
        return self._property or _property_of(url, self._listed or ())

    def find_property(self, url: str, host: str, site: str) -> Steps[str]:
        yield from self.open("urls", host, site)
        return self._property_of(url)

    def _place(self, name: str, sitemap: str = "") -> str:
        place = f"{self._base}/sites/{quote(name, safe='')}/sitemaps"
        return f"{place}/{quote(sitemap, safe='')}" if sitemap else place

    def report(self, host: str, site: str) -> Steps[Sequence[SitemapReport]]:
        # https://developers.google.com/webmaster-tools/v1/sitemaps/list
        yield from self.open("sitemaps", host, site)
        if not (name := self._property_of(f"{site}/")):
            raise RefusedError(Answer("refused", None, _NO_PROPERTY.format("site"), _OWNER))
        reply = yield self._request("GET", self._place(name), Reply(200, text="{}"))
        return [_report(item) for item in objects(_object(reply).get("sitemap"))]

    def withdraw(self, sitemap: str, host: str, site: str) -> Steps[Answer]:
        # https://developers.google.com/webmaster-tools/v1/sitemaps/delete
        yield from self.open("sitemaps", host, site)
        if not (name := self._property_of(sitemap)):
            return Answer("refused", None, _NO_PROPERTY.format("sitemap"), _OWNER)
        reply = yield self._request("DELETE", self._place(name, sitemap))
        if reply.status == _NOT_LISTED:
            return Answer("accepted", _NOT_LISTED, f"not listed in the property {name}")
        return _interpret(reply, _WORDS)

    def inspect(self, url: str, host: str, site: str) -> Steps[Inspection]:
        # https://developers.google.com/webmaster-tools/v1/urlInspection.index/inspect
        if not (name := (yield from self.find_property(url, host, site))):
            raise RefusedError(Answer("refused", None, _NO_PROPERTY.format("page"), _OWNER))
        content = {"inspectionUrl": url, "siteUrl": name}
        dry = Reply(200, text="{}")
        request = json_request(
            "POST", self._inspection + _INSPECTION, content, headers=self._headers, assumed=dry
        )
        quota = Quota(f"inspections of {name}", _quota_is_used_up, _PACIFIC)
        reply = yield request._replace(
            is_pointless=_quota_is_used_up, is_busy=_is_too_fast, quota=quota
        )
        return _inspection(url, _object(reply))


def _object(reply: Reply) -> dict[str, Any]:
    """Return the JSON object in a reply; raise `RefusedError` if the reply is anything else."""
    answer = _interpret(reply, _WORDS)
    if answer.state != "accepted":
        raise RefusedError(answer._replace(ends=True))
    if not isinstance(reply.json(), dict):
        raise RefusedError(unreadable(reply))
    return reply.object()


def _property_of(url: str, listed: Iterable[dict[str, Any]]) -> str:
    """
    Return the name of the property that contains a URL, or an empty string.

    The longest URL prefix wins, or else the longest domain. `listed` are properties from the API;
    those without sufficient permission are ignored.
    """
    names = [
        str(site.get("siteUrl")) for site in listed if site.get("permissionLevel") not in _TOO_LOW
    ]
    host = f".{urls.hostname(url)}"
    prefixes = [name for name in names if url.startswith(name)]
    domains = [
        name
        for name in names
        if name.startswith("sc-domain:") and host.endswith(f".{name.removeprefix('sc-domain:')}")
    ]
    return max(prefixes, key=len, default="") or max(domains, key=len, default="")


def _report(found: dict[str, Any]) -> SitemapReport:
    contents = [whole_number(item.get("submitted")) for item in objects(found.get("contents"))]
    known = [count for count in contents if count is not None]
    return SitemapReport(  # in the API, numbers are strings
        url=str(found.get("path") or ""),
        kind="index" if found.get("isSitemapsIndex") is True else str(found.get("type") or ""),
        submitted=to_w3c_date(found.get("lastSubmitted")),
        downloaded=to_w3c_date(found.get("lastDownloaded")),
        is_pending=found.get("isPending") is True,
        errors=whole_number(found.get("errors")),
        warnings=whole_number(found.get("warnings")),
        urls=sum(known) if known else None,
    )


def _inspection(url: str, found: dict[str, Any]) -> Inspection:
    result = found.get("inspectionResult")
    status = result.get("indexStatusResult") if isinstance(result, dict) else None
    values = status if isinstance(status, dict) else {}

    def text(name: str) -> str:
        return str(values.get(name) or "")

    return Inspection(
        url=url,
        verdict=text("verdict"),
        coverage=text("coverageState"),
        crawled=to_w3c_date(values.get("lastCrawlTime")),
        fetch=text("pageFetchState"),
        robots=text("robotsTxtState"),
        canonical=text("googleCanonical"),
    )


class GoogleIndexing(Engine):
    about: ClassVar[EngineInfo] = EngineInfo(
        name="google-indexing",
        title="Google Indexing API",
        status="opt-in",
        takes={"urls": 1},
        endpoint="https://indexing.googleapis.com/v3",
        secrets=(_CREDENTIALS,),
        scope="https://www.googleapis.com/auth/indexing",
        wants_removed=True,
        has_quota=True,
        per_day=200,
        limits="200 URLs per day until Google approves more, one URL per request",
        note="Only for pages with JobPosting, or BroadcastEvent in a VideoObject. Since "
        "September 2024, Google approves each use, and revokes access that is spread over "
        "several accounts (https://developers.google.com/search/apis/indexing-api/v3/quota-pricing).",
    )

    def __init__(self, setup: Setup) -> None:
        self._base = setup.base(self.about)
        self._headers = {"Authorization": f"Bearer {setup.secrets[_CREDENTIALS]}"}

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        item = batch.items[0]
        content = {"url": item.url, "type": "URL_DELETED" if item.is_removed else "URL_UPDATED"}
        url = f"{self._base}/urlNotifications:publish"
        dry = Reply(200, text="{}")
        request = json_request("POST", url, content, headers=self._headers, assumed=dry)
        quota = Quota("publish", _quota_is_used_up, _PACIFIC)
        reply = yield request._replace(
            is_pointless=_quota_is_used_up, is_busy=_is_too_fast, quota=quota
        )
        if reply.is_ok and not isinstance(reply.json(), dict):
            return unreadable(reply)
        return _interpret(reply, _INDEXING_WORDS)
