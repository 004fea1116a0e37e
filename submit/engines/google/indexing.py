"""
Google's Indexing API, for pages with job postings and live streams, and no others.

https://developers.google.com/search/apis/indexing-api/v3/quickstart
"""

from typing import ClassVar

from sitemapx.submit.engines.engine import EngineInfo, ItemKind, Setup, SubmissionBatch
from sitemapx.submit.engines.exchange import Answer, Quota, Reply, Steps, json_request, unreadable
from sitemapx.submit.engines.google.answers import (
    CREDENTIALS,
    PACIFIC,
    is_too_fast,
    judge,
    quota_is_used_up,
)

__all__ = ["GoogleIndexing"]

_WORDS = {
    401: ("token is invalid or expired", "check the service account and the system clock"),
    403: (
        "credentials do not own the site",
        "make the service account an owner of the property in Search Console",
    ),
    429: ("quota exceeded: 200 URLs per day", "run again tomorrow"),
}


class GoogleIndexing:
    """Tells Google of pages."""

    about: ClassVar[EngineInfo] = EngineInfo(
        name="google-indexing",
        title="Google Indexing API",
        status="opt-in",
        takes={"urls": 1},
        endpoint="https://indexing.googleapis.com/v3",
        secrets=(CREDENTIALS,),
        scope="https://www.googleapis.com/auth/indexing",
        wants_removed=True,
        has_quota=True,
        per_day=200,
        limits="200 URLs per day, one URL per request",
        note="Only for pages with JobPosting, or BroadcastEvent in a VideoObject; Google "
        "treats other use as abuse.",
    )

    def __init__(self, setup: Setup) -> None:
        self._base = setup.base(self.about)
        self._headers = {"Authorization": f"Bearer {setup.secrets[CREDENTIALS]}"}

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """Ask nothing."""
        yield from ()
        return None

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        """Report one page."""
        item = batch.items[0]
        content = {"url": item.url, "type": "URL_DELETED" if item.is_removed else "URL_UPDATED"}
        url = f"{self._base}/urlNotifications:publish"
        dry = Reply(200, text="{}")
        request = json_request("POST", url, content, headers=self._headers, assumed=dry)
        quota = Quota("publish", quota_is_used_up, PACIFIC)
        reply = yield request._replace(is_vain=quota_is_used_up, is_busy=is_too_fast, quota=quota)
        if reply.is_ok and not isinstance(reply.json(), dict):
            return unreadable(reply)
        return judge(reply, _WORDS)
