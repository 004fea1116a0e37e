"""Requests, replies and answers: the words that engines and whoever sends for them share."""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from sitemapx.convert.values.words import one_line

__all__ = [
    "Answer",
    "AnswerState",
    "Reply",
    "Request",
    "Steps",
    "json_request",
    "objects",
    "unreadable",
    "verdict",
]

#: accepted; refused by the engine; unreachable: no answer; unknown: an answer that cannot be read,
#: or none that we saw; left: not sent, because another answer made it vain.
AnswerState = Literal["accepted", "refused", "unreachable", "unknown", "left"]


T = TypeVar("T")

_JSON = {"Content-Type": "application/json; charset=utf-8"}


class Reply(NamedTuple):
    """
    A reply to a request.

    Attributes:
        status: The HTTP status; None if there was no answer.
        headers: By names in lower case.
        text: The body, as far as it came; secrets are placeholders in it.
        error: What went wrong on the way, in words; also where the body broke off.
        wait: How many seconds the server asks to wait, if it does.
        action: What to do about the error, where that is known.
        is_withheld: Whether the request was not sent, since the server asked for a pause.
        is_unsent: Whether the request was not sent: its address is private, or the credentials are
            no good.
        is_refused: Whether there is no answer because the credentials are no good.

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
        """Whether the status says success."""
        return self.status is not None and self.status // 100 == 2

    @property
    def is_page(self) -> bool:
        """Whether the body is a page for people in place of an answer."""
        return self.text.lstrip().startswith("<")

    @property
    def is_garbled(self) -> bool:
        """Whether the body broke off, or is a page."""
        return bool(self.error) or self.is_page

    def json(self) -> Any:
        """Return the body as JSON; None if it is none, or broke off."""
        try:
            return None if self.error else msgspec.json.decode(self.text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return None

    def object(self) -> dict[str, Any]:
        """Return the body as an object of JSON; an empty one if it is none."""
        found = self.json()
        return found if isinstance(found, dict) else {}


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list of JSON; none if it is no list."""
    found = value if isinstance(value, list) else []
    return [one for one in found if isinstance(one, dict)]


_FINE = Reply(200)


class Request(NamedTuple):
    """
    A request to send; a `Secret` in it is a placeholder.

    Attributes:
        assumed: The answer that a dry run goes on with.
        retries: How often to try again at most, if not as often as others.
        is_vain: Tells of an answer whether another attempt is vain, whatever its status says.
        pause: Tells for how many seconds an answer wants the server to be left alone, if its
            headers do not say.
        is_busy: Tells of an answer whether another attempt may succeed, whatever its status says.
        is_found: Whether the URL is from a sitemap, a feed or another server, and not from the
            settings: then only public addresses are contacted, unless private ones are allowed.

    """

    method: str
    url: str
    headers: Mapping[str, str] = {}
    body: str = ""
    assumed: Reply = _FINE
    retries: int | None = None
    is_vain: Callable[[Reply], bool] = lambda reply: False
    pause: Callable[[Reply], float] = lambda reply: 0.0
    is_busy: Callable[[Reply], bool] = lambda reply: False
    is_found: bool = False


#: The requests of an engine, one by one: each is sent its reply; the result is returned.
Steps = Generator[Request, Reply, T]


def json_request(
    method: str,
    url: str,
    content: Mapping[str, Any] | None = None,
    *,
    headers: Mapping[str, str] = {},
    assumed: Reply = _FINE,
) -> Request:
    """Make a request with a body of JSON, if there is any."""
    if content is None:
        return Request(method, url, headers, assumed=assumed)
    body = msgspec.json.encode(content).decode()
    return Request(method, url, {**headers, **_JSON}, body, assumed)


class Answer(NamedTuple):
    """
    The answer of an engine to a batch.

    Attributes:
        state: What the engine made of it.
        status: The HTTP status, if there was an answer.
        reason: That in words.
        action: What to do next, if there is something to do.
        refused: The items that were refused for good, whatever became of the others, and why.
        postponed: Those that may be accepted another time, such as beyond a quota, and why.
        ends: Whether further batches for the same host would fare no better now.
        room: How many more items the engine will take now, if it says so.
        parts: The URLs to send in the place of a batch that was rejected because of some of them.
        hubs: Those that accepted a feed, even if others did not.
        blames_urls: Whether the batch was rejected because of its URLs, of one or of more. If it
            has one, and the engine takes others, that one is refused for good.

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
    hubs: Sequence[str] = ()


#: Answers in words, where an engine says no more: why, and what to do next.
_WORDS = {
    400: ("request rejected as invalid", "report this with the output of --dry-run"),
    401: ("key or token rejected", "create a new one"),
    403: ("key or token is not authorized for the site", ""),
    404: ("endpoint not found", "check --endpoint"),
    407: ("proxy requires authentication", "put USER:PASSWORD@ into HTTPS_PROXY, HTTP_PROXY"),
    413: ("request is too large", "set a smaller batch in sitemapx.toml"),
    429: ("too many requests", "wait ten minutes, then run again"),
}


def verdict(
    reply: Reply, words: Mapping[int, tuple[str, str]] = {}, *, message: str | None = None
) -> Answer:
    """
    Judge a reply by its status.

    Args:
        words: Why, and what to do next, where that is known better than in general.
        message: What the engine says itself; by default, the body if it is short.

    """
    status = reply.status
    if status is None:
        action = reply.action or "check the network and --endpoint, then run again"
        state: AnswerState = "refused" if reply.is_refused else "unreachable"
        return Answer(state, None, reply.error, action, ends=True)
    if reply.is_ok:
        return Answer("accepted", status)
    if status // 100 == 5:
        reason, action = "server error", "run again later"
    elif status // 100 == 3:
        target = reply.headers.get("location", "another URL")
        reason, action = f"redirected to {target}", "pass the new URL with --endpoint"
    else:
        reason, action = _WORDS.get(status, ("refused", ""))
    reason, action = words.get(status, (reason, action))
    if reply.wait:
        action = reply.action or f"run again in {reply.wait:,.0f} s"
    quoted = one_line(reply.text) if message is None else message
    reason += f": {quoted}" if quoted else ""
    return Answer("refused", status, reason, action, ends=status != 400)


def unreadable(reply: Reply) -> Answer:
    """Answer for a success of which the engine says something, but not what it should say."""
    message = (
        reply.error or one_line(reply.text) or ("an HTML page" if reply.is_garbled else "not JSON")
    )
    reason = f"response cannot be parsed: {message}"
    action = "it is unknown whether this was accepted; run again to resend it"
    return Answer("unknown", reply.status, reason, action)
