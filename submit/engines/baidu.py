"""
Baidu's link submission API: https://ziyuan.baidu.com/ (普通收录).

The response gives the number of accepted URLs and lists rejected ones. If they do not add up to the
batch, the quota ran out, and the last URLs are postponed. If no URL is accepted, the cause may be
the site instead of the listed URLs.
"""

import re
from functools import partial
from typing import ClassVar
from urllib.parse import quote

from sitemapx.submit.engines.engine import Engine, EngineInfo, Setup, SubmissionBatch
from sitemapx.submit.engines.exchange import (
    REFUSED_URL_ACTION,
    Answer,
    Quota,
    Reply,
    Request,
    Steps,
    unreadable,
    verdict,
)

_FROM_WHERE = "copy the token from ziyuan.baidu.com (普通收录)"
_CHECK_SITE = "correct the URLs, or set `site` of [engines.baidu] to the name registered with Baidu"
_OVER_QUOTA = "over quota"
#: Time zone in which Baidu's day begins, in hours ahead of UTC.
_CHINA = 8
#: Error message -> reason, and advice.
_ERRORS = {
    "site error": ("site is not verified for this token", "verify the site at ziyuan.baidu.com"),
    "empty content": ("request contained no URLs", "inspect the request with --dry-run"),
    _OVER_QUOTA: (
        "more URLs than remain of today's quota",
        "run again tomorrow",
    ),
    "token is not valid": ("token does not belong to the site", _FROM_WHERE),
    "not found": ("endpoint not found", "check --endpoint"),
    "internal error, please try later": ("internal error at Baidu", "run again later"),
}
_too_many = re.compile(r"only ([1-9][0-9]{0,5}) urls are allowed once").fullmatch
_REASONS = {"not_same_site": "URL is not on this site", "not_valid": "URL is not valid for Baidu"}


class Baidu(Engine):
    about: ClassVar[EngineInfo] = EngineInfo(
        name="baidu",
        title="Baidu link submission",
        takes={"urls": 2_000},
        endpoint="http://data.zz.baidu.com/urls",
        secrets=("BAIDU_TOKEN",),
        options={"site": "site name registered with Baidu, if not the host"},
        has_quota=True,
        limits="2,000 URLs per request, and a daily quota",
        note="The documented endpoint is plain HTTP, which sends the token unencrypted.",
    )

    def __init__(self, setup: Setup) -> None:
        self._base = setup.base(self.about)
        self._token = setup.secrets["BAIDU_TOKEN"]
        self._site = setup.options.get("site", "")

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        site = quote(self._site or batch.host, safe=":")
        dry = Reply(200, text=f'{{"success":{len(batch.items)}}}')
        url = f"{self._base}?site={site}&token={self._token}"
        body = "\n".join(batch.urls)
        request = Request("POST", url, {"Content-Type": "text/plain"}, body, dry)
        quota = Quota(site, partial(_is_used_up, len(batch.items)), _CHINA)
        reply = yield request._replace(quota=quota)
        return _interpret(reply, batch.urls)


def _is_used_up(count: int, reply: Reply) -> bool:
    """
    Return whether the daily quota is used up, given the number of URLs sent.

    For several URLs, the message "over quota" may only mean that fewer of them fit.
    """
    found = reply.object()
    return found.get("remain") == 0 or (count == 1 and found.get("message") == _OVER_QUOTA)


def _interpret(reply: Reply, urls: list[str]) -> Answer:
    found = reply.object()
    if (message := str(found.get("message") or "")) or not reply.is_ok:
        reason, action = _ERRORS.get(message, ("", ""))
        reasons = {reply.status: (reason, action)} if reply.status and reason else {}
        answer = verdict(
            reply if not reply.is_ok else reply._replace(status=400), reasons, message=message
        )
        if message == _OVER_QUOTA and len(urls) > 1:
            # Send one URL first: only a reply that accepts URLs states the remaining quota.
            return answer._replace(parts=(urls[:1], urls[1:]), ends=False)
        if m := _too_many(message):
            return answer._replace(most=int(m[1]), ends=True)
        return answer._replace(ends=True)
    success, remain = found.get("success"), found.get("remain")
    if not isinstance(success, int):
        return unreadable(reply)
    refused = {
        url: reason
        for key, reason in _REASONS.items()
        for url in urls
        if isinstance(named := found.get(key), list) and url in named
    }
    taken = [url for url in urls if url not in refused]
    accepted, over_quota = taken[: max(success, 0)], taken[max(success, 0) :]
    postponed = dict.fromkeys(over_quota, "over today's quota")
    room = remain if isinstance(remain, int) else None
    if refused and not accepted:
        reason = "; ".join(dict.fromkeys(refused.values()))
        answer = Answer("refused", reply.status, reason, _CHECK_SITE)
        return answer._replace(postponed=postponed, room=room, blames_urls=True, names_url=True)
    action = REFUSED_URL_ACTION if refused else ""
    return Answer("accepted", reply.status, "", action, refused, postponed, room=room)
