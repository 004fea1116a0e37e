"""Requests, replies and answers: the types shared by engines and transports."""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from sitemapx.convert.values.words import one_line

#: State of a batch: accepted, refused, unreachable (no response), unknown (the response could not
#: be interpreted, or was lost) or left (to be sent by a later run).
AnswerState = Literal["accepted", "refused", "unreachable", "unknown", "left"]


T = TypeVar("T")

_JSON = {"Content-Type": "application/json; charset=utf-8"}
#: Status -> reason and remedy, if the engine gives no other reason.
_WORDS = {
    400: ("request rejected as invalid", "report this with the output of --dry-run"),
    401: ("key or token rejected", "create a new key or token"),
    403: ("key or token is not authorized for the site", "verify the site there, and the key"),
    404: ("endpoint not found", "check --endpoint"),
    405: ("endpoint does not accept this request", "check --endpoint"),
    407: ("proxy requires authentication", "put USER:PASSWORD@ into HTTPS_PROXY, HTTP_PROXY"),
    408: ("server waited too long for the request", "check the network, then run again"),
    410: ("endpoint no longer exists", "check --endpoint"),
    413: ("request is too large", "set a smaller batch in sitemapx.toml"),
    421: ("server is not responsible for this host", "check --endpoint and the proxy"),
    425: ("server does not accept early requests", "run again later"),
    429: ("too many requests", "wait ten minutes, then run again"),
    451: (
        "blocked for legal reasons",
        "ask the search engine, or use a network in another country",
    ),
}
_REFUSED = ("refused", "run again later; if it is refused again, check --endpoint")
#: Advice for a URL that is permanently refused.
REFUSED_URL_ACTION = "correct or remove the URL; `sitemapx submit retry` resends it"
_url = re.compile(r"https?:[^\s\"'<>\\,;]+", re.IGNORECASE)


class Reply(NamedTuple):
    """
    Reply to a request.

    Attributes:
        status: HTTP status code; None if there was no response.
        headers: Response headers, with names in lower case.
        text: Body, as far as it was received; secrets in it are replaced by placeholders.
        error: Why there is no response or the body is incomplete; empty for a complete response.
        wait: Seconds to wait before the next request to the server; 0 for no pause.
        action: Advice about the error; empty if there is none.
        is_withheld: Whether the request was not sent because of a pause or a used-up quota, or
            because no token could be obtained.
        is_unsent: Whether the request was not sent because it leads to a private IP address, or
            the proxy or the credentials cannot be used.
        is_refused: Whether there is no response because the credentials cannot be used.

    """

    status: int | None
    headers: Mapping[str, str] = {}
    text: str = ""
    error: str = ""
    wait: float = 0.0
    action: str = ""
    is_withheld: bool = False
    is_unsent: bool = False
    is_refused: bool = False

    @property
    def is_ok(self) -> bool:
        """Whether the status code means success (2xx)."""
        return self.status is not None and self.status // 100 == 2

    @property
    def is_page(self) -> bool:
        """Whether the body begins with `<`: an HTML page, not the JSON of an API."""
        return self.text.lstrip().startswith("<")

    @property
    def is_garbled(self) -> bool:
        """Whether the response is missing, incomplete or an HTML page."""
        return bool(self.error) or self.is_page

    def json(self) -> Any:
        """Return the body decoded from JSON; None if the body is incomplete or not JSON."""
        try:
            return None if self.error else msgspec.json.decode(self.text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return None

    def object(self) -> dict[str, Any]:
        """Return the body as a JSON object; empty if the body is not a JSON object."""
        found = self.json()
        return found if isinstance(found, dict) else {}


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a JSON array; an empty list if the value is not an array."""
    found = value if isinstance(value, list) else []
    return [item for item in found if isinstance(item, dict)]


_FINE = Reply(200)


class Quota(NamedTuple):
    """
    A daily quota of a server.

    Attributes:
        name: Name of the quota, such as the site to which it applies.
        is_used_up: Function that returns whether the quota is used up, given a reply.
        utc_offset: Time zone in which the day of the quota begins, in hours ahead of UTC.

    """

    name: str
    is_used_up: Callable[[Reply], bool]
    utc_offset: int


class Request(NamedTuple):
    """
    Request to send; secrets in it are placeholders (`str(secret)`).

    Attributes:
        method: HTTP method.
        url: Absolute URL.
        headers: Request headers.
        body: Body; empty for no body.
        assumed: Reply that a dry run returns instead of sending the request.
        retries: Maximum number of retries; None for the setting of the sender.
        is_pointless: Function that returns whether retrying is pointless after a reply, regardless
            of its status.
        pause: Function that returns the seconds to pause requests to the server after a reply
            without `Retry-After`; 0 for no pause.
        is_busy: Function that returns whether a retry may succeed after a reply, regardless of its
            status.
        quota: Quota that the request counts against; None if unknown.
        is_found: Whether the URL comes from a sitemap, a feed or a server rather than from the
            settings; it is then requested only if it leads to a public IP address, unless private
            addresses are allowed.

    """

    method: str
    url: str
    headers: Mapping[str, str] = {}
    body: str = ""
    assumed: Reply = _FINE
    retries: int | None = None
    is_pointless: Callable[[Reply], bool] = lambda reply: False
    pause: Callable[[Reply], float] = lambda reply: 0.0
    is_busy: Callable[[Reply], bool] = lambda reply: False
    quota: Quota | None = None
    is_found: bool = False


#: Generator of requests that is sent the reply to each of them and returns a result.
Steps = Generator[Request, Reply, T]


def json_request(
    method: str,
    url: str,
    content: Mapping[str, Any] | None = None,
    *,
    headers: Mapping[str, str] = {},
    assumed: Reply = _FINE,
) -> Request:
    """
    Create a request with a JSON body.

    Args:
        method: HTTP method.
        url: Absolute URL.
        content: Object to send as JSON; None for no body.
        headers: Request headers besides `Content-Type`.
        assumed: Reply that a dry run returns instead of sending the request.

    """
    if content is None:
        return Request(method, url, headers, assumed=assumed)
    body = msgspec.json.encode(content).decode()
    return Request(method, url, {**headers, **_JSON}, body, assumed)


class Answer(NamedTuple):
    """
    Answer of a search engine to a batch.

    Attributes:
        state: Result of the batch; see `AnswerState`.
        status: HTTP status code; None if there was no response.
        reason: Explanation of the state; may be empty.
        action: Advice on what to do next; empty if no action is needed.
        refused: URLs that were rejected permanently, regardless of `state`, each with a reason.
        postponed: URLs that may be accepted later, such as URLs beyond a quota, each with a reason.
        ends: Whether further batches for the same site are pointless in this run.
        room: Number of further items that the search engine accepts now; None if unknown.
        parts: URLs of the smaller batches to send instead, if the batch was rejected because of its
            size or some of its URLs; otherwise empty.
        blames_urls: Whether the batch was rejected because of one or more of its URLs. A batch of a
            single URL is rejected permanently if the search engine accepts other URLs of the site.
        names_url: Whether the reply to a single URL says that this URL is invalid, so that further
            URLs are sent even if the search engine has not accepted any yet.
        hubs: URLs of the WebSub hubs that accepted a feed, even if other hubs did not.
        most: Maximum number of items per request, if the batch was rejected because it exceeds this
            number; otherwise None.

    """

    state: AnswerState
    status: int | None = None
    reason: str = ""
    action: str = ""
    refused: Mapping[str, str] = {}
    postponed: Mapping[str, str] = {}
    ends: bool = False
    room: int | None = None
    parts: Sequence[Sequence[str]] = ()
    blames_urls: bool = False
    names_url: bool = False
    hubs: Sequence[str] = ()
    most: int | None = None


def verdict(
    reply: Reply, reasons: Mapping[int, tuple[str, str]] = {}, *, message: str | None = None
) -> Answer:
    """
    Derive the answer from the HTTP status of a reply.

    Args:
        reply: The reply.
        reasons: Reason and action by status code, which override the general ones.
        message: Error message of the search engine; None to quote a body without markup.

    """
    status = reply.status
    if status is None:
        action = "" if reply.is_unsent else "check the network and --endpoint, then run again"
        state: AnswerState = "refused" if reply.is_refused else "unreachable"
        return Answer(state, None, reply.error, reply.action or action, ends=True)
    if reply.is_ok:
        return Answer("accepted", status)
    if status // 100 == 5:
        reason, action = "server error", "run again later"
    elif status // 100 == 3:
        target = reply.headers.get("location", "another URL")
        reason, action = f"redirected to {target}", "pass the new URL with --endpoint"
    else:
        reason, action = _WORDS.get(status, _REFUSED)
    reason, action = reasons.get(status, (reason, action))
    if reply.wait:
        action = reply.action or f"run again in {reply.wait:,.0f} s"
    quoted = one_line(reply.text) if message is None else message
    reason += f": {quoted}" if quoted else ""
    return Answer("refused", status, reason, action, ends=status != 400)


def unreadable(reply: Reply) -> Answer:
    """Return the answer for a successful reply whose body cannot be interpreted."""
    message = (
        reply.error or one_line(reply.text) or ("an HTML page" if reply.is_garbled else "not JSON")
    )
    reason = f"response cannot be parsed: {message}"
    action = "it is unknown whether this was accepted; run again to resend it"
    return Answer("unknown", reply.status, reason, action)


def divide_batch(answer: Answer, urls: Sequence[str], reply: Reply) -> Answer:
    """
    Return the answer with `blames_urls`, and with parts to send instead if there are several URLs.

    The parts are the URLs that the reply names, and the rest; or halves if it names none or all of
    them. A message may name valid URLs too, so named URLs count as refused only if sent alone.

    Args:
        answer: The answer that was created from the reply.
        urls: URLs that may have caused the rejection.

    """
    answer = answer._replace(blames_urls=True)
    if len(urls) < 2:
        return answer
    named = _named(urls, reply.text)
    if 0 < len(named) < len(urls):
        rest = [url for url in urls if url not in named]
        return answer._replace(parts=([url for url in urls if url in named], rest))
    middle = len(urls) // 2
    return answer._replace(parts=(urls[:middle], urls[middle:]))


def _named(urls: Sequence[str], text: str) -> set[str]:
    found = {url.rstrip(".:)]}") for url in _url.findall(text.replace("\\/", "/"))}
    return found.intersection(urls)
