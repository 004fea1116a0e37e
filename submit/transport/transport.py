"""Transports, which answer the requests of engines."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, cast

from sitemapx.convert.values.words import clip
from sitemapx.errors import RefusedError
from sitemapx.optionnames import advice
from sitemapx.submit.engines.exchange import Answer, Reply, Request, Steps
from sitemapx.submit.secrets.secret import Secret, mask_secrets

T = TypeVar("T")
#: Maximum length of a text quoted from an answer.
_LONGEST = 1000


class Transport(Protocol):
    """Answers the requests of engines: the network, or a replacement such as a dry run."""

    def send_request(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Send a request; failures are returned as replies, not raised."""
        ...


def run_steps(steps: Steps[T], transport: Transport, secrets: Sequence[Secret]) -> T:
    """
    Run the steps of an engine, sending each request, and return their result.

    Secrets are masked in an `Answer`, whether it is the result or part of a `RefusedError`.
    """
    try:
        request = next(steps)
        while True:
            request = steps.send(transport.send_request(request, secrets))
    except StopIteration as done:
        result: Any = done.value
        if isinstance(result, Answer):
            result = _mask_answer(result, secrets)
        return cast(T, result)
    except RefusedError as error:
        raise RefusedError(_mask_answer(error.answer, secrets)) from error


def _mask_answer(answer: Answer, secrets: Sequence[Secret]) -> Answer:
    """Mask secrets, replace unprintable characters and cut long texts in an answer."""

    def mask(text: str) -> str:
        shown = (char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
        return clip(mask_secrets("".join(shown), secrets), _LONGEST)

    reason, action = mask(answer.reason), mask(advice(answer.action))
    refused, postponed = (
        {url: mask(message) for url, message in items.items()}
        for items in (answer.refused, answer.postponed)
    )
    return answer._replace(reason=reason, action=action, refused=refused, postponed=postponed)


class Recorder:
    """
    Transport that forwards requests to another transport, and counts requests that change data.

    Withheld requests are counted whether or not they change data.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.reset_counts()

    def reset_counts(self) -> None:
        self._withheld = self._unsent = self._sent = 0

    @property
    def is_sent(self) -> bool:
        """Whether a request that changes data was sent, or none was necessary."""
        return bool(self._sent or not (self._withheld or self._unsent))

    @property
    def is_withheld(self) -> bool:
        return bool(self._withheld)

    def send_request(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        reply = self._transport.send_request(request, secrets)
        self._withheld += reply.is_withheld
        if request.method not in ("GET", "HEAD"):
            self._unsent += reply.is_unsent
            self._sent += not (reply.is_withheld or reply.is_unsent)
        return reply
