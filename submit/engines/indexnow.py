"""
IndexNow: one request notifies all participating search engines.

https://www.indexnow.org/documentation and https://www.indexnow.org/faq
"""

import re
from typing import ClassVar
from urllib.parse import urlsplit

from sitemapx.convert.values import uris, urls
from sitemapx.errors import RefusedError, UsageError
from sitemapx.submit.engines.engine import EngineInfo, ItemKind, Setup, SubmissionBatch
from sitemapx.submit.engines.exchange import (
    Answer,
    Reply,
    Request,
    Steps,
    divide_batch,
    json_request,
    unreadable,
    verdict,
)
from sitemapx.submit.secrets.secret import Secret

#: "a minimum of 8 and a maximum of 128 hexadecimal characters … a-z, A-Z, 0-9, and dashes"
_KEY = r"[a-zA-Z0-9-]{8,128}"
_PATH = "/indexnow"
_REGISTRY = "https://www.indexnow.org/searchengines.json"
#: The endpoints in the registry as of 2026-09-25, for use if the registry does not respond. Written
#: by tests/refresh.py.
_OTHERS = (
    "https://www.bing.com/indexnow",
    "https://yandex.com/indexnow",
    "https://searchadvisor.naver.com/indexnow",
    "https://search.seznam.cz/indexnow",
    "https://indexnow.yep.com/indexnow",
    "https://indexnow.amazonbot.amazon/indexnow",
)
#: A URL or the key is invalid; the body may contain details.
_BAD_URL = 422
_PROXY = 407
#: "Wait at least 10 minutes" after "Too Many Requests".
_TOO_MANY, _PAUSE = 429, 600.0
_about_key = re.compile(r"\bkey\b|keyLocation", re.IGNORECASE).search
_PENDING = "key validation is pending"
_IF_REFUSED = "if the next batch is refused (403), resend these with `sitemapx submit --all`"


class IndexNow:
    """
    Notifies one participating search engine, which shares the URLs with the others.

    Raises:
        UsageError: If the key location or the registry in the settings is not a URL.

    """

    about: ClassVar[EngineInfo] = EngineInfo(
        name="indexnow",
        title="IndexNow: Bing, Yandex, Naver, Seznam, Yep, Amazon, Internet Archive",
        takes={"urls": 10_000},
        endpoint=f"https://api.indexnow.org{_PATH}",
        secrets=("INDEXNOW_KEY",),
        options={
            "key-location": "URL of the key file, if not /KEY.txt; {key} stands for the key",
            "registry": "URL of the list of search engines, used when the endpoint fails",
        },
        interval=600,
        wants_removed=True,
        limits="10,000 URLs of one host per request; 10 minutes between reports of a URL",
        note="Google and Baidu do not participate.",
    )

    def __init__(self, setup: Setup) -> None:
        for name, value in setup.options.items():
            if uris.to_uri(value) is None:
                raise UsageError(f"indexnow: {name} is not an absolute http(s) URL: {value!r}")
        self._key = setup.secrets["INDEXNOW_KEY"]
        self._location = setup.options.get("key-location", "")
        self._registry = setup.options.get("registry", "")
        named = [_with_path(endpoint) for endpoint in setup.endpoints]
        self._endpoints = named or ([] if self._registry else [self.about.endpoint])
        self._others = not named or bool(self._registry)
        #: Further endpoints that the registry names.
        self._found: list[str] = []

    @property
    def warnings(self) -> list[str]:
        """Warnings before sending: a key file below the root covers only its own directory."""
        folder = self._location.rpartition("/")[0] + "/"
        if not is_below_root(folder):
            return []
        return [f"the key file is below a path, so it is valid only for URLs below {folder}"]

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """Verify the key file, without which search engines reject a site."""
        reason, action = yield from verify(self._key, self.key_file(site))
        if reason:
            raise RefusedError(Answer("refused", None, reason, action, ends=True))
        return None

    def key_file(self, site: str) -> str:
        """
        Return the URL of the key file: from the settings if it is on this host, else the default.

        Messages do not mask the key in this URL: the file is public, and users need to open the
        URL.
        """
        if urls.authority(self._location) == urls.authority(site):
            return self._location.replace("{key}", self._key.public)
        return f"{site}/{self._key.public}.txt"

    def check_key(self, site: str) -> Steps[str]:
        """Fetch the key file of a site; return the error message, or an empty string."""
        reason, _ = yield from verify(self._key, self.key_file(site))
        return reason

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        location = self.key_file(batch.site)
        outside = _urls_outside(batch, location) if self._location else {}
        inside = [url for url in batch.urls if url not in outside]
        if not inside:
            reason = "URLs are outside the directory of the key file"
            action = "move the key file to the root of the host"
            return Answer("refused", None, reason, action, refused=outside)
        content = {
            "host": batch.host,
            "key": str(self._key),
            "keyLocation": location,
            "urlList": inside,
        }
        reply = Reply(None, error="no endpoint")
        tried = 0
        while tried < len(self._endpoints) or (yield from self._add_endpoints()):
            endpoint = self._endpoints[tried]
            request = json_request("POST", endpoint, content)
            found = endpoint in self._found
            reply = yield request._replace(is_found=found, pause=_pause)
            if not _may_fail_over(reply):
                # This endpoint is tried first from now on.
                self._endpoints.insert(0, self._endpoints.pop(tried))
                break
            tried += 1
        if reply.is_ok and reply.is_page:  # from a proxy, not from the API
            return unreadable(reply)._replace(refused=outside)
        answer = verdict(reply, _reasons(batch.site))._replace(refused=outside)
        if reply.status == _BAD_URL and not _about_key(reply.text):
            return divide_batch(answer._replace(ends=False), inside, reply)
        if answer.state == "refused":
            return answer._replace(ends=True)
        if reply.status == 202:
            return answer._replace(reason=_PENDING, action=_IF_REFUSED)
        return answer

    def _add_endpoints(self) -> Steps[bool]:
        """Once, add the endpoints of other search engines; return whether any were added."""
        if not self._others:
            return False
        self._others = False
        found = yield from _registered_endpoints(self._registry or _REGISTRY)
        self._found = [endpoint for endpoint in found if endpoint not in self._endpoints]
        if not found and not self._registry:
            found = list(_OTHERS)
        more = [endpoint for endpoint in found if endpoint not in self._endpoints]
        self._endpoints += more
        return bool(more)


def _reasons(site: str) -> dict[int, tuple[str, str]]:
    action = f"run `sitemapx submit key verify {site}`"
    return {
        400: ("malformed request", "inspect the request with --dry-run"),
        403: (
            "key not accepted: its file is missing, or has not been read yet",
            f"{action}; wait a few minutes, or create another key",
        ),
        422: ("a URL is not on the host of the key, or the key is malformed", action),
        429: (
            "too many requests; search engines may treat them as spam",
            "wait at least ten minutes, then run again",
        ),
    }


def _pause(reply: Reply) -> float:
    return _PAUSE if reply.status == _TOO_MANY else 0.0


def _with_path(endpoint: str) -> str:
    return endpoint if urlsplit(endpoint).path.strip("/") else endpoint.rstrip("/") + _PATH


def _may_fail_over(reply: Reply) -> bool:
    """Return whether a failed request may be repeated at another endpoint."""
    if reply.is_withheld or reply.wait:
        return False
    return reply.status is None or reply.status // 100 == 5


def _urls_outside(batch: SubmissionBatch, location: str) -> dict[str, str]:
    """Return the URLs outside the directory of the key file, each with a reason."""
    folder = urlsplit(location).path.rpartition("/")[0] + "/"
    reason = f"URL is outside {folder}, the directory of the key file"
    return {url: reason for url in batch.urls if not (urlsplit(url).path or "/").startswith(folder)}


def _registered_endpoints(registry: str) -> Steps[list[str]]:
    """Fetch the registry, and the description of each search engine; return the endpoints."""
    listed = yield Request("GET", registry, retries=0)
    found: list[str] = []
    for meta in listed.object().values():
        if isinstance(meta, str):
            content = (yield Request("GET", meta, retries=0, is_found=True)).object()
            api = content.get("api")
            if isinstance(api, str) and not content.get("unsubscribe"):
                found.append(api)
    return found


def is_below_root(url: str) -> bool:
    """Return whether a URL has a path, so that a key file there covers only a part of its host."""
    return urlsplit(url).path.strip("/") != ""


def verify(key: Secret, location: str) -> Steps[tuple[str, str]]:
    """Validate a key and its file; return error and remedy, or two empty strings."""
    if not key.fits(_KEY):
        message = f"{key.name} is not a valid key: expected 8 to 128 letters, digits and hyphens"
        return message, "create a key, and its file in DIR, with `sitemapx submit key new DIR`"
    assumed = Reply(200, text=str(key))
    reply = yield Request("GET", location, assumed=assumed, is_found=True)
    if reply.status is None or reply.error:
        action = "" if reply.is_unsent else "check the network, then run again"
        return f"cannot fetch the key file {location}: {reply.error}", reply.action or action
    action = "publish the key file there; `sitemapx submit key new DIR` creates a key and its file"
    if reply.status in (301, 302, 303, 307, 308):
        target = reply.headers.get("location", "").replace(str(key), key.public)
        message = f"key file {location} redirects to {target}"
        return f"{message}; set key-location to its final URL", action
    if reply.status in (404, 410):
        return f"key file {location} not found: status {reply.status}", action
    if reply.status != 200:
        answer = _not_served(reply, reply.status)
        return f"cannot fetch the key file {location}: {answer.reason}", answer.action
    if reply.text.strip().strip("\ufeff").strip() != str(key):
        return f"key file {location} does not contain exactly the key", action
    return "", ""


def _not_served(reply: Reply, status: int) -> Answer:
    """Return the error for a reply that does not show whether a key file exists."""
    is_passing = status == _TOO_MANY or status >= 500
    cure = "run again later" if is_passing else "make the file publicly accessible"
    reasons = {} if status == _PROXY else {status: (f"status {status}", cure)}
    return verdict(reply, reasons, message="")
