"""Parts to send in the place of a batch that was rejected because of some of its URLs."""

import re
from collections.abc import Sequence

from sitemapx.submit.engines.exchange import Answer, Reply

__all__ = ["REFUSED_URL_ACTION", "divided"]

#: What to do about a URL that is refused for good.
REFUSED_URL_ACTION = "correct or remove the URL; `sitemapx submit retry` resends it"

_url = re.compile(r"https?:[^\s\"'<>\\,;]+", re.IGNORECASE)


def divided(answer: Answer, urls: Sequence[str], reply: Reply) -> Answer:
    """
    Divide a batch that was rejected: into what the reply names and the rest, else into halves.

    A message may name a URL that it does not blame, so each is sent by itself before it is refused.

    Args:
        answer: What was made of the reply.
        urls: Those that may be to blame.

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
    """Find URLs that a reply names."""
    found = {url.rstrip(".:)]}") for url in _url.findall(text.replace("\\/", "/"))}
    return found.intersection(urls)
