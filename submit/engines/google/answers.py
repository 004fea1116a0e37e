"""Answers of Google's interfaces: errors with a message and with reasons."""

import re
from collections.abc import Mapping

from sitemapx.submit.engines.exchange import Answer, Reply, objects, verdict

__all__ = ["CREDENTIALS", "PACIFIC", "is_too_fast", "judge", "quota_is_used_up"]

CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS"
#: Reasons that mean: not today. Google sends them with 403 or 429, and so the next ones.
_QUOTAS = frozenset({"quotaExceeded", "dailyLimitExceeded", "RATE_LIMIT_EXCEEDED_DAILY"})
#: Reasons that mean: not so fast.
_RATES = frozenset(
    {"rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED", "RESOURCE_EXHAUSTED"}
)
_TOO_MANY = 429
_about_minutes = re.compile("minute|second", re.IGNORECASE).search
#: Time zone in which Google's day begins, in hours ahead of UTC: Pacific Standard Time.
PACIFIC = -8


def _error(reply: Reply) -> tuple[str, list[str]]:
    """Return the message and the reasons of an error."""
    error = reply.object().get("error")
    if not isinstance(error, dict):
        return "", []
    listed = [*objects(error.get("errors")), *objects(error.get("details"))]
    reasons = [str(one.get("reason")) for one in listed]
    return str(error.get("message") or ""), [*reasons, str(error.get("status"))]


def quota_is_used_up(reply: Reply) -> bool:
    """Return whether a quota of the day is used up, so that waiting for some seconds is vain."""
    message, reasons = _error(reply)
    is_of_day = "quota" in message.lower() and not _about_minutes(message)
    return not _QUOTAS.isdisjoint(reasons) or (is_of_day and not _RATES.isdisjoint(reasons))


def is_too_fast(reply: Reply) -> bool:
    """Return whether waiting for some seconds may help."""
    return not (_RATES.isdisjoint(_error(reply)[1]) or quota_is_used_up(reply))


def judge(reply: Reply, words: Mapping[int, tuple[str, str]]) -> Answer:
    """Judge an answer of Google; its 403 is about permissions only if no reason says otherwise."""
    message, _ = _error(reply)
    if quota_is_used_up(reply):
        reason = f"quota exceeded: {message}"
        return Answer("refused", reply.status, reason, "run again tomorrow", ends=True)
    if is_too_fast(reply) and reply.status == 403:
        answer = verdict(reply._replace(status=_TOO_MANY), words, message=message or None)
        return answer._replace(status=reply.status)
    return verdict(reply, words, message=message or None)
