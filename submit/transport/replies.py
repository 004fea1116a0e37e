"""Replies to requests that are held back, and advice on when to repeat a request."""

from math import ceil

from sitemapx.submit.engines.exchange import Reply

__all__ = ["pause_advice", "retry_advice", "withheld"]


def withheld(wait: float, reason: str) -> Reply:
    """Return the reply to a request that is not sent, since the server asked for a pause."""
    return Reply(None, error=reason, wait=wait, action=pause_advice(wait), is_withheld=True)


def pause_advice(seconds: float) -> str:
    """Return what to do while a server is left alone for some seconds."""
    return f"{retry_advice(seconds)}, or send now with --no-wait"


def retry_advice(seconds: float) -> str:
    """Return the advice to repeat the run in some seconds."""
    time = f"{ceil(seconds / 60)} minutes" if seconds > 60 else f"{ceil(seconds)} s"
    return f"run this again in {time}"
