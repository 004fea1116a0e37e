"""Go through the steps of an engine, by whatever answers requests."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from sitemapx.submit.engines.exchange import Reply, Request, Steps
from sitemapx.submit.secrets.secret import Secret

__all__ = ["Transport", "run"]

T = TypeVar("T")


class Transport(Protocol):
    """Answers requests: the network, or what stands in for it."""

    def ask(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Return what comes back; what goes wrong is a reply, too."""
        ...


def run(steps: Steps[T], transport: Transport, secrets: Sequence[Secret]) -> T:
    """Go through the steps of an engine to their result."""
    try:
        request = next(steps)
        while True:
            request = steps.send(transport.ask(request, secrets))
    except StopIteration as done:
        result: T = done.value
        return result
