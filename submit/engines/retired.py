"""Discontinued ways to notify search engines; listed to explain what to use instead."""

from typing import ClassVar

from sitemapx.submit.engines.engine import EngineInfo, ItemKind, Setup, SubmissionBatch
from sitemapx.submit.engines.exchange import Answer, Steps


class _Retired:
    about: ClassVar[EngineInfo]

    def __init__(self, setup: Setup) -> None: ...

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        yield from ()
        return 0

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        yield from ()
        return Answer("refused", None, self.about.note)


class GooglePing(_Retired):
    """Shut down in 2023: https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping"""

    about: ClassVar[EngineInfo] = EngineInfo(
        name="google-ping",
        title="Google sitemap ping",
        status="retired",
        note="deprecated on 2023-06-26, gone since the end of 2023; use google (Search "
        "Console) and the Sitemap line in robots.txt",
    )


class BingPing(_Retired):
    """
    Shut down in 2021.

    https://blogs.bing.com/webmaster/may-2022/Spring-cleaning-Removed-Bing-anonymous-sitemap-submission
    """

    about: ClassVar[EngineInfo] = EngineInfo(
        name="bing-ping",
        title="Bing sitemap ping",
        status="retired",
        note="retired on 2021-12-22, returns 410; use indexnow or bing, and the Sitemap line in "
        "robots.txt",
    )


class XmlRpc(_Retired):
    """XML-RPC ping services, such as https://www.xmlrpc.com/weblogsCom"""

    about: ClassVar[EngineInfo] = EngineInfo(
        name="xmlrpc",
        title="XML-RPC ping (Ping-O-Matic and others)",
        status="retired",
        note="discontinued by most services, not supported by search engines; use websub, or "
        "indexnow for search engines",
    )
