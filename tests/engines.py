"""Mock search engines that are as strict as their documentation."""

import json
import re
from collections.abc import Callable
from functools import cache
from urllib.parse import parse_qs, quote, unquote, urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.loopback import Answered, Asked, Engine

__all__ = ["Baidu", "Bing", "Google", "Hub", "IndexNow", "Yandex", "private_key", "service_account"]

KEY = "0123456789abcdef"
BING_KEY = "bing-key-0a1b2c"
YANDEX_TOKEN = "y0_secret-token"
BAIDU_TOKEN = "baidutoken123"


@cache
def private_key() -> str:
    """Return a private key for all service accounts, short to be generated quickly."""
    return (
        rsa.generate_private_key(65537, 1024)
        .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        .decode()
    )


def service_account(token_uri: str) -> dict[str, str]:
    """Return a key file of Google Cloud."""
    return {
        "type": "service_account",
        "project_id": "p",
        "private_key_id": "0011223344556677889900112233445566778899",
        "private_key": private_key(),
        "client_email": "robot@p.iam.gserviceaccount.com",
        "client_id": "1",
        "token_uri": token_uri,
    }


def _sitemaps(taken: list[str]) -> list[str]:
    """Return the accepted URLs that are sitemaps."""
    return [url for url in taken if url.endswith(".xml")]


class IndexNow(Engine):
    """Mock of IndexNow: https://www.indexnow.org/documentation"""

    path = "/indexnow"

    def answer(self, asked: Asked) -> Answered:
        if asked.place != "/indexnow" or asked.method != "POST":
            return Answered(404)
        if asked.headers.get("content-type") != "application/json; charset=utf-8":
            return Answered(400, "content type")
        try:
            said = json.loads(asked.body)
        except ValueError:
            return Answered(400, "not JSON")
        if set(said) - {"host", "key", "keyLocation", "urlList"} or not said.get("urlList"):
            return Answered(400, "keys")
        if not re.fullmatch(r"[a-zA-Z0-9-]{8,128}", said["key"]):
            return Answered(422, "key")
        if said["key"] != KEY:
            return Answered(403, '{"errorCode":"UserForbiddedToAccessSite"}')
        urls = said["urlList"]
        hosts = {urlsplit(url).netloc for url in [*urls, said["keyLocation"]]}
        if hosts != {said["host"]} or len(urls) > 10_000 or len(set(urls)) < len(urls):
            return Answered(422, "url")
        self.taken += urls
        return Answered(200)


class Bing(Engine):
    """Mock of Bing: https://learn.microsoft.com/en-us/bingwebmaster/"""

    path = "/webmaster/api.svc/json"
    site = "https://www.example.com"

    def __init__(self) -> None:
        super().__init__()
        self.quota = 1000

    def answer(self, asked: Asked) -> Answered:
        if asked.query.get("apikey") != BING_KEY:
            return self._error(3, "InvalidApiKey")
        if asked.method == "GET" and asked.place == f"{self.path}/GetUrlSubmissionQuota":
            if asked.query.get("siteUrl") != self.site:
                return self._error(14, "NotAuthorized")
            quota = {"DailyQuota": self.quota, "MonthlyQuota": 10 * self.quota}
            return Answered(200, json.dumps({"d": quota}))
        if asked.method == "GET" and asked.place == f"{self.path}/GetFeeds":
            if asked.query.get("siteUrl") != self.site:
                return self._error(14, "NotAuthorized")
            return Answered(200, json.dumps({"d": list(map(self._feed, _sitemaps(self.taken)))}))
        if asked.method == "GET":
            return self._read(asked)
        if asked.headers.get("content-type") != "application/json; charset=utf-8":
            return self._error(8, "InvalidParameter")
        said = json.loads(asked.body)
        if said.pop("siteUrl", None) != self.site:
            return self._error(14, "NotAuthorized")
        match asked.place.removeprefix(self.path), said:
            case "/SubmitFeed", {"feedUrl": str(url), **rest} if not rest:
                self.taken.append(url)
            case "/RemoveFeed", {"feedUrl": str(url), **rest} if not rest and url in self.taken:
                self.taken.remove(url)
            case "/SubmitUrlBatch", {"urlList": [*urls], **rest} if not rest:
                if len(urls) > 500 or len(urls) > self.quota:
                    return self._error(4, "ThrottleUser")
                self.quota -= len(urls)
                self.taken += urls
            case _:
                return self._error(8, "InvalidParameter")
        return Answered(200, '{"d":null}')

    def _read(self, asked: Asked) -> Answered:
        """Answer a request for issues or a page; pages that end in /new are unknown."""
        if asked.query.get("siteUrl") != self.site:
            return self._error(14, "NotAuthorized")
        url, name = asked.query.get("url", ""), asked.place.removeprefix(f"{self.path}/")
        if name == "GetCrawlIssues" and not url:
            kind = "UrlWithCrawlIssues:#Microsoft.Bing.Webmaster.Api"
            issue = {"__type": kind, "HttpCode": 404, "InLinks": 2, "Issues": 4 | 64}
            return Answered(200, json.dumps({"d": [issue | {"Url": f"{self.site}/b"}]}))
        if name == "GetUrlInfo" and url.startswith(f"{self.site}/"):
            is_crawled, is_known = url.endswith("/b"), not url.endswith("/new")
            never = "/Date(-62135568000000-0800)/"
            info = {
                "__type": "UrlInfo:#Microsoft.Bing.Webmaster.Api",
                "HttpStatus": 404 * is_crawled,
                "IsPage": True,
                "DiscoveryDate": "/Date(1720173887265)/" if is_known else never,
                "LastCrawledDate": "/Date(1730173887265-0700)/" if is_crawled else never,
                "Url": url,
            }
            return Answered(200, json.dumps({"d": info if is_known else None}))
        return self._error(8, "InvalidParameter")

    def _feed(self, url: str) -> dict[str, object]:
        return {
            "Url": url,
            "Type": "Sitemap",
            "Status": "Success",
            "UrlCount": 1200,
            "Submitted": "/Date(1730173887265-0700)/",
            "LastCrawled": "/Date(-62135568000000-0800)/",
        }

    def _error(self, code: int, name: str) -> Answered:
        return Answered(400, json.dumps({"ErrorCode": code, "Message": f"ERROR!!! {name}"}))


class Yandex(Engine):
    """Mock of Yandex: https://yandex.com/dev/webmaster/doc/en/"""

    path = "/v4"
    host_id = "https:www.example.com:443"

    def __init__(self) -> None:
        super().__init__()
        self.quota = 100
        self.verified = True
        self.found: list[str] = []

    def answer(self, asked: Asked) -> Answered:
        if asked.headers.get("authorization") != f"OAuth {YANDEX_TOKEN}":
            return self._error(401, "INVALID_OAUTH_TOKEN")
        place = f"/v4/user/123/hosts/{self.host_id}"
        match asked.method, unquote(asked.place):
            case "GET", "/v4/user":
                return Answered(200, '{"user_id":123}')
            case "GET", "/v4/user/123/hosts":
                host = {"host_id": self.host_id, "verified": self.verified}
                return Answered(200, json.dumps({"hosts": [host]}))
            case "GET", path if path == f"{place}/recrawl/quota":
                quota = {"daily_quota": 100, "quota_remainder": self.quota}
                return Answered(200, json.dumps(quota))
            case "GET", path if path == f"{place}/sitemaps":
                return self._list(asked, self.found, "from", self._sitemap)
            case "GET", path if path == f"{place}/user-added-sitemaps":
                return self._list(asked, _sitemaps(self.taken), "offset", self._added)
            case "DELETE", path if path.startswith(f"{place}/user-added-sitemaps/"):
                number, listed = int(path.rpartition("-")[2]), _sitemaps(self.taken)
                if number >= len(listed):
                    return self._error(404, "SITEMAP_NOT_FOUND")
                self.taken.remove(listed[number])
                return Answered(204)
            case "POST", path if path.startswith(place):
                return self._post(path.removeprefix(place), json.loads(asked.body)["url"])
        return self._error(404, "RESOURCE_NOT_FOUND")

    def _list(
        self,
        asked: Asked,
        urls: list[str],
        after: str,
        written: Callable[[int, str], dict[str, object]],
    ) -> Answered:
        """Return a page of a list of URLs: those after the ID in the query parameter `after`."""
        begin = int(asked.query[after].rpartition("-")[2]) + 1 if after in asked.query else 0
        end = begin + int(asked.query["limit"])
        found = [written(number, url) for number, url in enumerate(urls)][begin:end]
        return Answered(200, json.dumps({"sitemaps": found}))

    def _sitemap(self, number: int, url: str) -> dict[str, object]:
        return {
            "sitemap_id": f"f-{number}",
            "sitemap_url": url,
            "last_access_date": "2026-01-01T00:00:00,000+0300",
            "errors_count": 2,
            "urls_count": 1200,
            "children_count": 0,
            "sources": ["ROBOTS_TXT", "WEBMASTER"],
            "sitemap_type": "SITEMAP",
        }

    def _added(self, number: int, url: str) -> dict[str, object]:
        added = "2026-02-01T12:00:00,000+0300"
        return {"sitemap_id": f"a-{number}", "sitemap_url": url, "added_date": added}

    def _post(self, path: str, url: str) -> Answered:
        if path == "/user-added-sitemaps":
            if url in self.taken:
                return self._error(409, "SITEMAP_ALREADY_ADDED")
            self.taken.append(url)
            return Answered(201, '{"sitemap_id":"c7-fe:80-c0"}')
        if path != "/recrawl/queue":
            return self._error(404, "RESOURCE_NOT_FOUND")
        if not self.quota:
            return self._error(429, "QUOTA_EXCEEDED")
        self.quota -= 1
        self.taken.append(url)
        return Answered(202, json.dumps({"task_id": "t", "quota_remainder": self.quota}))

    def _error(self, status: int, code: str) -> Answered:
        return Answered(status, json.dumps({"error_code": code, "error_message": "no"}))


class Baidu(Engine):
    """Mock of Baidu: https://ziyuan.baidu.com/"""

    path = "/urls"
    site = "www.example.com"

    def __init__(self) -> None:
        super().__init__()
        self.quota = 5000

    def answer(self, asked: Asked) -> Answered:
        if asked.place != "/urls" or asked.method != "POST":
            return self._error(404, "not found")
        if asked.headers.get("content-type") != "text/plain":
            return self._error(400, "empty content")
        if asked.query.get("token") != BAIDU_TOKEN:
            return self._error(401, "token is not valid")
        if asked.query.get("site") != self.site:
            return self._error(400, "site error")
        urls = asked.body.split("\n")
        if len(urls) > 2000:
            return self._error(400, "only 2000 urls are allowed once")
        if len(urls) > self.quota:
            return self._error(400, "over quota")
        others = [url for url in urls if urlsplit(url).netloc != self.site]
        good = [url for url in urls if url not in others]
        self.quota -= len(good)
        self.taken += good
        said = {"remain": self.quota, "success": len(good)}
        return Answered(200, json.dumps(said | ({"not_same_site": others} if others else {})))

    def _error(self, status: int, message: str) -> Answered:
        return Answered(status, json.dumps({"error": status, "message": message}))


class Google(Engine):
    """https://developers.google.com/webmaster-tools/v1/sitemaps/submit, and the Indexing API"""

    path = "/webmasters/v3"

    def __init__(self) -> None:
        super().__init__()
        self.properties = {"https://www.example.com/": "siteOwner"}
        self.tokens = 0
        self.quota = 200
        self.inspections = 2000

    def answer(self, asked: Asked) -> Answered:
        if asked.place == "/token":
            self.tokens += 1
            grant = parse_qs(asked.body)["grant_type"]
            assert grant == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
            token = {"access_token": self._token, "expires_in": 3600, "token_type": "Bearer"}
            return Answered(200, json.dumps(token), {"Content-Type": "application/json"})
        if asked.headers.get("authorization") != f"Bearer {self._token}":
            return self._error(401, "authError", "Invalid Credentials")
        if asked.place == "/v3/urlNotifications:publish":
            return self._publish(json.loads(asked.body))
        if asked.method == "GET" and asked.path == "/webmasters/v3/sites":
            listed = self.properties.items()
            entries = [{"siteUrl": name, "permissionLevel": level} for name, level in listed]
            return Answered(200, json.dumps({"siteEntry": entries}))
        if asked.method == "POST" and asked.place == "/v1/urlInspection/index:inspect":
            return self._inspect(json.loads(asked.body))
        found = re.fullmatch(r"/webmasters/v3/sites/([^/]+)/sitemaps(?:/([^/]+))?", asked.path)
        if not found:
            return self._error(404, "notFound", "Not Found")
        site, sitemap = map(unquote, found.groups(""))
        if [quote(site, safe=""), quote(sitemap, safe="")] != [
            name or "" for name in found.groups()
        ]:
            return self._error(400, "invalidParameter", "not encoded completely")
        if self.properties.get(site) not in ("siteOwner", "siteFullUser"):
            return self._error(403, "forbidden", f"User does not have permission for '{site}'.")
        if asked.method == "GET" and not sitemap:
            return Answered(200, json.dumps({"sitemap": list(map(self._sitemap, self.taken))}))
        if asked.method not in ("PUT", "DELETE") or asked.headers["content-length"] != "0":
            return self._error(404, "notFound", "Not Found")
        if asked.method == "PUT":
            self.taken.append(sitemap)
        elif sitemap not in self.taken:
            return self._error(404, "notFound", "Not Found")
        else:
            self.taken.remove(sitemap)
        return Answered(204)

    def _sitemap(self, url: str) -> dict[str, object]:
        return {
            "path": url,
            "lastSubmitted": "2026-02-01T09:00:00.000Z",
            "lastDownloaded": "2026-02-02T10:11:12.345Z",
            "isPending": False,
            "isSitemapsIndex": False,
            "type": "sitemap",
            "warnings": "3",
            "errors": "0",
            "contents": [{"type": "web", "submitted": "1200", "indexed": "0"}],
        }

    def _inspect(self, said: dict[str, str]) -> Answered:
        if set(said) != {"inspectionUrl", "siteUrl"} or said["siteUrl"] not in self.properties:
            return self._error(403, "forbidden", "You do not own this site.")
        if not self.inspections:
            return self._error(429, "rateLimitExceeded", "Quota exceeded for sc-domain")
        self.inspections -= 1
        is_known = not said["inspectionUrl"].endswith("/new")
        index = {
            "verdict": "PASS" if is_known else "NEUTRAL",
            "coverageState": "Submitted and indexed" if is_known else "URL is unknown to Google",
            "robotsTxtState": "ALLOWED",
            "indexingState": "INDEXING_ALLOWED",
            "lastCrawlTime": "2026-02-03T04:05:06Z",
            "pageFetchState": "SUCCESSFUL",
            "googleCanonical": said["inspectionUrl"],
        }
        if not is_known:
            index = {"verdict": index["verdict"], "coverageState": index["coverageState"]}
        return Answered(200, json.dumps({"inspectionResult": {"indexStatusResult": index}}))

    @property
    def _token(self) -> str:
        return f"ya29.google-token-{self.tokens}"

    def _publish(self, said: dict[str, str]) -> Answered:
        if set(said) != {"url", "type"} or said["type"] not in ("URL_UPDATED", "URL_DELETED"):
            return self._error(400, "badRequest", "Invalid value")
        if not self.quota:
            return self._error(429, "rateLimitExceeded", "Quota exceeded")
        self.quota -= 1
        self.taken.append(f"{said['type']} {said['url']}")
        return Answered(200, json.dumps({"urlNotificationMetadata": {"url": said["url"]}}))

    def _error(self, status: int, reason: str, message: str) -> Answered:
        errors = [{"domain": "global", "reason": reason, "message": message}]
        error = {"code": status, "errors": errors, "message": message}
        return Answered(status, json.dumps({"error": error}))


class Hub(Engine):
    """https://www.w3.org/TR/websub/, and switchboard.p3k.io"""

    path = "/"

    def answer(self, asked: Asked) -> Answered:
        said = parse_qs(asked.body)
        if asked.headers.get("content-type") != "application/x-www-form-urlencoded":
            return Answered(415)
        if said.get("hub.mode") != ["publish"] or not said.get("hub.url"):
            return Answered(400, "hub.mode and hub.url are needed")
        self.taken += said["hub.url"]
        return Answered(204)
