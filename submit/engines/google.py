"""
Google's Search Console API: sitemaps, and feeds as sitemaps.

https://developers.google.com/webmaster-tools/v1/sitemaps/submit
"""

from collections.abc import Iterable
from typing import Any, ClassVar
from urllib.parse import quote

from sitemapx.convert.values import urls
from sitemapx.errors import RefusedError
from sitemapx.submit.engines.engine import EngineInfo, ItemKind, Setup, SubmissionBatch
from sitemapx.submit.engines.exchange import (
    Answer,
    Reply,
    Request,
    Steps,
    objects,
    unreadable,
    verdict,
)

__all__ = ["CREDENTIALS", "Google", "is_too_fast", "judge", "quota_is_used_up"]

CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS"
_OWNER = "add the service account's email address to the users of the property in Search Console"
_WORDS = {
    401: ("token is invalid or expired", "check the service account and the system clock"),
    403: ("credentials lack the required permission", _OWNER),
    404: ("property not found", "set property in [engines.google]"),
}
#: Levels of permission that do not suffice to submit.
_TOO_LOW = ("siteUnverifiedUser", "siteRestrictedUser")
#: Reasons that mean: not today. Google sends them with 403 or 429, and so the next ones.
_QUOTAS = frozenset({"quotaExceeded", "dailyLimitExceeded", "RATE_LIMIT_EXCEEDED_DAILY"})
#: Reasons that mean: not so fast.
_RATES = frozenset(
    {"rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED", "RESOURCE_EXHAUSTED"}
)
_TOO_MANY = 429


class Google:
    """Tells Google of sitemaps."""

    about: ClassVar[EngineInfo] = EngineInfo(
        name="google",
        title="Google Search Console API",
        takes={"sitemaps": 1},
        endpoint="https://www.googleapis.com/webmasters/v3",
        secrets=(CREDENTIALS,),
        scope="https://www.googleapis.com/auth/webmasters",
        options={
            "property": "https://example.com/ or sc-domain:example.com, if not found by itself"
        },
        limits="200 requests per minute",
        note="Requires sitemapx[google]. Google accepts sitemaps only, no URLs of pages.",
    )

    def __init__(self, setup: Setup) -> None:
        self._base = setup.base(self.about)
        self._headers = {"Authorization": f"Bearer {setup.secrets[CREDENTIALS]}"}
        self._property = setup.options.get("property", "")
        self._listed: list[dict[str, Any]] | None = None

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """
        List the properties, for they must be named exactly as Search Console does.

        Raises:
            RefusedError: If they cannot be listed.

        """
        if self._property or self._listed is not None:
            return None
        dry = Reply(200, text=f'{{"siteEntry":[{{"siteUrl":"{site}/"}}]}}')
        request = Request("GET", f"{self._base}/sites", self._headers, assumed=dry)
        reply = yield request._replace(is_vain=quota_is_used_up, is_busy=is_too_fast)
        answer = judge(reply, _WORDS)
        if answer.state != "accepted":
            raise RefusedError(answer._replace(ends=True))
        if not isinstance(reply.json(), dict):
            raise RefusedError(unreadable(reply))
        self._listed = objects(reply.object().get("siteEntry"))
        return None

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        """Submit a sitemap; the same request submits it again."""
        url = batch.items[0].url
        name = self._property or _property_of(url, self._listed or ())
        if not name:
            reason = "no Search Console property of these credentials contains this sitemap"
            return Answer("refused", None, reason, _OWNER)
        place = f"{self._base}/sites/{quote(name, safe='')}/sitemaps/{quote(url, safe='')}"
        # Without a length Google answers 411, and no body has none by itself.
        headers = {**self._headers, "Content-Length": "0"}
        request = Request("PUT", place, headers)
        reply = yield request._replace(is_vain=quota_is_used_up, is_busy=is_too_fast)
        return judge(reply, _WORDS)


def _property_of(url: str, listed: Iterable[dict[str, Any]]) -> str:
    """Find the property that a URL is in: the longest prefix, else the domain."""
    names = [
        str(one.get("siteUrl")) for one in listed if one.get("permissionLevel") not in _TOO_LOW
    ]
    host = f".{urls.hostname(url)}"
    prefixes = [name for name in names if url.startswith(name)]
    domains = [
        name
        for name in names
        if name.startswith("sc-domain:") and host.endswith(f".{name.removeprefix('sc-domain:')}")
    ]
    return max(prefixes, key=len, default="") or max(domains, key=len, default="")


def _error(reply: Reply) -> tuple[str, list[str]]:
    """Return the message and the reasons of an error."""
    error = reply.object().get("error")
    if not isinstance(error, dict):
        return "", []
    listed = [*objects(error.get("errors")), *objects(error.get("details"))]
    reasons = [str(one.get("reason")) for one in listed]
    return str(error.get("message") or ""), [*reasons, str(error.get("status"))]


def quota_is_used_up(reply: Reply) -> bool:
    """Return whether waiting for some seconds does not help."""
    return not _QUOTAS.isdisjoint(_error(reply)[1])


def is_too_fast(reply: Reply) -> bool:
    """Return whether waiting for some seconds may help."""
    return not _RATES.isdisjoint(_error(reply)[1])


def judge(reply: Reply, words: dict[int, tuple[str, str]]) -> Answer:
    """Judge an answer of Google; its 403 is about permissions only if no reason says otherwise."""
    message, _ = _error(reply)
    if quota_is_used_up(reply):
        reason = f"quota exceeded: {message}"
        return Answer("refused", reply.status, reason, "run again tomorrow", ends=True)
    if is_too_fast(reply) and reply.status == 403:
        answer = verdict(reply._replace(status=_TOO_MANY), words, message=message or None)
        return answer._replace(status=reply.status)
    return verdict(reply, words, message=message or None)
