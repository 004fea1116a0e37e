"""
Yandex Webmaster API v4: sitemaps, and pages to recrawl.

https://yandex.com/dev/webmaster/doc/en/
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import quote, urlsplit

import msgspec

from sitemapx.convert.values.words import one_line
from sitemapx.errors import RefusedError
from sitemapx.submit.engines.engine import (
    EngineInfo,
    ItemKind,
    Setup,
    SitemapReport,
    SubmissionBatch,
    to_w3c_date,
    whole_number,
)
from sitemapx.submit.engines.exchange import (
    REFUSED_URL_ACTION,
    Answer,
    Reply,
    Request,
    Steps,
    json_request,
    objects,
    unreadable,
    verdict,
)

_ADD = "add the site at webmaster.yandex.com and verify it there"
_RENEW = "create a new token; Yandex tokens expire after some months"
_TOMORROW = "run again tomorrow"
_INVALID_URL = "INVALID_URL"
#: Code -> reason, action, and whether all further requests would fail likewise.
_ERRORS = {
    "ACCESS_FORBIDDEN": (
        "token lacks a permission",
        "create one with access to Yandex Webmaster",
        True,
    ),
    "HOST_NOT_FOUND": ("site is not registered", _ADD, True),
    "HOST_NOT_LOADED": ("site is new, and not loaded by Yandex yet", _TOMORROW, True),
    "HOST_NOT_VERIFIED": ("site is not verified", _ADD, True),
    "INVALID_OAUTH_TOKEN": ("token is invalid or expired", _RENEW, True),
    _INVALID_URL: ("URL is invalid, or not on this site", REFUSED_URL_ACTION, False),
    "INVALID_USER_ID": ("token belongs to another user", _RENEW, True),
    "QUOTA_EXCEEDED": ("today's quota is used up", _TOMORROW, True),
}
#: Codes for an item that was added before, which counts as accepted.
_DONE = ("SITEMAP_ALREADY_ADDED", "URL_ALREADY_ADDED")
_PORTS = {"http": 80, "https": 443}
#: Number of sitemaps per reply, and maximum number of replies.
_PAGE, _MOST_PAGES = 100, 1000
_ADDED = "user-added-sitemaps"
_GONE = ("SITEMAP_NOT_FOUND", "SITEMAP_NOT_ADDED")


class Yandex:
    about: ClassVar[EngineInfo] = EngineInfo(
        name="yandex",
        title="Yandex Webmaster API",
        takes={"sitemaps": 1, "urls": 1},
        endpoint="https://api.webmaster.yandex.net/v4",
        secrets=("YANDEX_OAUTH_TOKEN",),
        sitemap_formats=("sitemap", "sitemapindex", "text"),
        has_quota=True,
        limits="daily quota of URLs, one URL per request",
    )

    def __init__(self, setup: Setup) -> None:
        self._base = setup.base(self.about)
        self._headers = {"Authorization": f"OAuth {setup.secrets['YANDEX_OAUTH_TOKEN']}"}
        self._user = ""
        self._hosts: dict[str, str] = {}

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """Request the IDs of the user and the site; for pages, also the remaining quota."""
        if not self._user:
            found = yield from self._get("/user", {"user_id": "USER_ID"})
            self._user = str(found.get("user_id") or "")
        if site not in self._hosts:
            self._hosts[site] = yield from self._host(site)
        if kind != "urls":
            return None
        url = f"{self._base}{self._place(site)}/recrawl/quota"
        reply = yield Request("GET", url, self._headers, assumed=Reply(200, text="{}"))
        room = reply.object().get("quota_remainder")  # missing in an error response
        return room if isinstance(room, int) else None

    def _get(self, path: str, assumed: Mapping[str, object]) -> Steps[dict[str, object]]:
        url = f"{self._base}{path}"
        dry = Reply(200, text=msgspec.json.encode(assumed).decode())
        reply = yield Request("GET", url, self._headers, assumed=dry, is_pointless=_is_pointless)
        answer = _interpret(reply)
        if answer.state != "accepted":
            raise RefusedError(answer._replace(ends=True))
        return reply.object()

    def _host(self, site: str) -> Steps[str]:
        """Return the ID of a site, as `https:example.com:443`; may raise `RefusedError`."""
        parts = urlsplit(site)
        wanted = f"{parts.scheme}:{parts.hostname}:{parts.port or _PORTS[parts.scheme]}"
        dry = {"hosts": [{"host_id": wanted, "verified": True}]}
        found = yield from self._get(f"/user/{self._user}/hosts", dry)
        for host in objects(found.get("hosts")):
            if host.get("host_id") == wanted:
                if host.get("verified") is False:
                    reason = f"{site} is not verified in Yandex Webmaster"
                    raise RefusedError(Answer("refused", 200, reason, _ADD, ends=True))
                return wanted
        reason = f"{site} is not among the sites of this token's user"
        raise RefusedError(Answer("refused", 200, reason, _ADD, ends=True))

    def _place(self, site: str) -> str:
        return f"/user/{self._user}/hosts/{quote(self._hosts[site], safe=':')}"

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        path = _ADDED if batch.kind == "sitemaps" else "recrawl/queue"
        dry = Reply(202, text="{}")
        request = json_request(
            "POST",
            f"{self._base}{self._place(batch.site)}/{path}",
            {"url": batch.items[0].url},
            headers=self._headers,
            assumed=dry,
        )
        reply = yield request._replace(is_pointless=_is_pointless)
        answer = _interpret(reply)
        if _code(reply) == _INVALID_URL:
            answer = answer._replace(blames_urls=True, names_url=True)
        room = reply.object().get("quota_remainder")
        return answer._replace(room=room) if isinstance(room, int) else answer

    def report(self, host: str, site: str) -> Steps[Sequence[SitemapReport]]:
        # https://yandex.com/dev/webmaster/doc/en/reference/host-sitemaps-get
        yield from self.open("sitemaps", host, site)
        # Only the second list has sitemaps that were added but not read yet.
        found = yield from self._list_sitemaps(site, "sitemaps", "from")
        added = yield from self._list_sitemaps(site, _ADDED, "offset")
        submitted = {
            str(sitemap.get("sitemap_url")): to_w3c_date(sitemap.get("added_date"))
            for sitemap in added
        }
        reports = {str(sitemap.get("sitemap_url")): _report(sitemap) for sitemap in found}
        pending = {url: SitemapReport(url, is_pending=True) for url in submitted}
        return [
            report._replace(submitted=submitted.get(url))
            for url, report in (pending | reports).items()
        ]

    def _list_sitemaps(
        self, site: str, path: str, after: str, dry: Mapping[str, object] = {}
    ) -> Steps[list[dict[str, Any]]]:
        """
        Return the sitemaps in a list of a site, requesting page after page.

        `after` names the parameter with the ID of the last sitemap received; `dry` is the reply of
        a dry run.
        """
        found: list[dict[str, Any]] = []
        query = f"{self._place(site)}/{path}?limit={_PAGE}"
        for _ in range(_MOST_PAGES):
            last = f"&{after}={quote(str(found[-1].get('sitemap_id')), safe='')}" if found else ""
            reply = yield from self._get(query + last, dry)
            page = objects(reply.get("sitemaps"))
            found += page
            if len(page) < _PAGE:
                break
        return found

    def withdraw(self, sitemap: str, host: str, site: str) -> Steps[Answer]:
        # https://yandex.com/dev/webmaster/doc/en/reference/host-user-added-sitemaps-sitemap-id-delete
        yield from self.open("sitemaps", host, site)
        dry = {"sitemaps": [{"sitemap_id": "SITEMAP_ID", "sitemap_url": sitemap}]}
        added = yield from self._list_sitemaps(site, _ADDED, "offset", dry)
        ids = [listed.get("sitemap_id") for listed in added if listed.get("sitemap_url") == sitemap]
        if not ids:
            return Answer("accepted", None, "not among the sitemaps that were added")
        place = f"{self._base}{self._place(site)}/{_ADDED}/{quote(str(ids[0]), safe='')}"
        reply = yield Request("DELETE", place, self._headers, assumed=Reply(204))
        if _code(reply) in _GONE:
            return Answer("accepted", reply.status, "not among the sitemaps that were added")
        return verdict(reply) if reply.is_ok else _interpret(reply)


def _report(found: dict[str, Any]) -> SitemapReport:
    return SitemapReport(
        url=str(found.get("sitemap_url") or ""),
        kind="index" if found.get("sitemap_type") == "INDEX_SITEMAP" else "sitemap",
        downloaded=to_w3c_date(found.get("last_access_date")),
        errors=whole_number(found.get("errors_count")),
        urls=whole_number(found.get("urls_count")),
        status=", ".join(map(str, sources))
        if isinstance(sources := found.get("sources"), list)
        else "",
    )


def _code(reply: Reply) -> str:
    return str(reply.object().get("error_code") or "")


def _is_pointless(reply: Reply) -> bool:
    return "QUOTA" in _code(reply)


def _interpret(reply: Reply) -> Answer:
    code = _code(reply)
    if code in _DONE:
        return Answer("accepted", reply.status, "already in the queue of Yandex")
    if code in _ERRORS:
        reason, action, ends = _ERRORS[code]
        message = one_line(str(reply.object().get("error_message") or ""))
        reason = f"{reason}: {message}" if message else reason
        return Answer("refused", reply.status, reason, action, ends=ends)
    if reply.is_ok and not isinstance(reply.json(), dict):
        return unreadable(reply)
    return verdict(reply, {401: _ERRORS["INVALID_OAUTH_TOKEN"][:2]})
