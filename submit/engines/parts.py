"""Parts to send in the place of a batch that was rejected because of some of its URLs."""

import re
from collections.abc import Sequence

from sitemapx.submit.engines.exchange import Answer, Reply

__all__ = ["divided"]

_url = re.compile(r"https?:[^\s\"'<>\\,;]+", re.IGNORECASE)


def divided(answer: Answer, urls: Sequence[str], reply: Reply) -> Answer:
    """
    Divide a batch that was rejected: into what the reply names and the rest, else into halves.

    A message may name a URL that it does not blame, so only one that is sent by itself is refused.

    Args:
        answer: What was made of the reply.
        urls: Those that may be to blame.

    """
    answer = answer._replace(blames_urls=True)
    named = _named(urls, reply.text)
    if len(urls) < 2:
        refused = {**answer.refused, **dict.fromkeys(named, answer.reason)}
        return answer._replace(refused=refused)
    if 0 < len(named) < len(urls):
        rest = [url for url in urls if url not in named]
        return answer._replace(parts=([url for url in urls if url in named], rest))
    middle = len(urls) // 2
    return answer._replace(parts=(urls[:middle], urls[middle:]))


def _named(urls: Sequence[str], text: str) -> set[str]:
    """Find URLs that a reply names."""
    found = {url.rstrip(".:)]}") for url in _url.findall(text.replace("\\/", "/"))}
    return found.intersection(urls)
