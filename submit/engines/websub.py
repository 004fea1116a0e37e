"""
WebSub: notifies the hubs of a feed that the feed has changed.

https://www.w3.org/TR/websub/ does not define how to notify a hub. In practice, hubs accept
`hub.mode=publish` with the URL of the feed as `hub.url` or, in older hubs, `hub.topic`.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar
from urllib.parse import urlencode, urljoin

from sitemapx.convert.model.document import Head
from sitemapx.submit.engines.engine import Engine, EngineInfo, Setup, SubmissionBatch
from sitemapx.submit.engines.exchange import Answer, Reply, Request, Steps, verdict

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class WebSub(Engine):
    """Notifies the hubs in the settings, or else those that each feed declares."""

    about: ClassVar[EngineInfo] = EngineInfo(
        name="websub",
        title="WebSub hubs, for subscribers to a feed",
        takes={"feeds": 1},
        limits="set by each hub",
        note="For feeds with a hub link; search engines do not support WebSub.",
    )

    def __init__(self, setup: Setup) -> None:
        self._hubs = setup.endpoints

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        (item,) = batch.items
        head = item.head or Head()
        topic, hubs = head.self_link or item.url, list(self._hubs)
        if not hubs:
            reply = yield Request("HEAD", item.url, retries=0, is_found=True)
            links = _links(reply, item.url)
            hubs = [*links.get("hub", ()), *head.hubs]
            topic = links.get("self", [topic])[0]
        if not hubs:
            action = 'add <link rel="hub"> to the feed; `convert --hub` writes one'
            return Answer("refused", None, "feed has no hub link", action)
        hubs = [hub for hub in dict.fromkeys(hubs) if hub not in item.accepted_hubs]
        if not hubs:
            return Answer("accepted", None, "all hubs have accepted this version of the feed")
        form = urlencode([("hub.mode", "publish"), ("hub.url", topic), ("hub.topic", topic)])
        answers: dict[str, Answer] = {}
        for hub in hubs:
            request = Request("POST", hub, _FORM, form, Reply(204), is_found=not self._hubs)
            answers[hub] = verdict((yield request))._replace(ends=False)
        return _merge_answers(answers, len(item.accepted_hubs))


def _merge_answers(answers: Mapping[str, Answer], before: int) -> Answer:
    """
    Merge the answers of the hubs of a feed, by URL; if any hub did not accept, the feed stays due.

    `before` is the number of hubs that accepted this state of the feed in earlier runs.
    """
    accepted = [hub for hub, answer in answers.items() if answer.state == "accepted"]
    failed = {hub: answer for hub, answer in answers.items() if answer.state != "accepted"}
    if not failed:
        return next(iter(answers.values()))._replace(hubs=accepted)
    reason = "; ".join(f"{hub}: {answer.reason}" for hub, answer in failed.items())
    if count := len(accepted) + before:
        reason += f" (accepted by {count} of {len(answers) + before} hubs)"
    return next(iter(failed.values()))._replace(reason=reason, hubs=accepted)


def _links(reply: Reply, url: str) -> dict[str, list[str]]:
    """Return the URLs in the `Link` headers of a feed, by lower-case relation such as `hub`."""
    from requests.utils import parse_header_links

    found: dict[str, list[str]] = {}
    if reply.is_ok:
        for link in parse_header_links(reply.headers.get("link", "")):
            for rel in str(link.get("rel") or "").lower().split():
                with suppress(ValueError):  # brackets without an IPv6 address
                    found.setdefault(rel, []).append(urljoin(url, str(link["url"])))
    return found
