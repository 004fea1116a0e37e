"""Replies to requests that are not sent, and advice on when to repeat a request."""

from math import ceil

from sitemapx.optionnames import advice
from sitemapx.submit.engines.exchange import Reply

__all__ = ["pause_advice", "retry_advice", "unusable", "withheld"]

#: Units of time, of more than how many seconds each is used, and how many it has.
_UNITS = (("days", 172_800, 86_400), ("hours", 7_200, 3_600), ("minutes", 60, 60))


def withheld(wait: float, reason: str) -> Reply:
    """Return the reply to a request that is not sent, since the server asked for a pause."""
    return Reply(None, error=reason, wait=wait, action=pause_advice(wait), is_withheld=True)


def unusable(message: str) -> Reply:
    """Return the reply to a request that is not sent, since the credentials are no good."""
    action = "fix the credentials, then run again"
    return Reply(None, error=message, action=action, is_refused=True, is_unsent=True)


def pause_advice(seconds: float) -> str:
    """Return what to do while a server is left alone for some seconds."""
    return advice(retry_advice(seconds), "pass --no-wait to send now")


def retry_advice(seconds: float) -> str:
    """
    Return the advice to repeat the run in some seconds.

    >>> retry_advice(59.5), retry_advice(90), retry_advice(86_400)
    ('run again in 60 s', 'run again in 2 minutes', 'run again in 24 hours')

    """
    found = ((unit, size) for unit, least, size in _UNITS if seconds > least)
    unit, size = next(found, ("s", 1))
    return f"run again in {ceil(seconds / size)} {unit}"
