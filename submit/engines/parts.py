"""What to send in the place of a batch that was rejected as a whole because of some of its URLs."""

import re
from collections.abc import Mapping, Sequence

from sitemapx.submit.engines.exchange import Answer, Reply

__all__ = ["divided"]

_url = re.compile(r"https?:[^\s\"'<>\\,;]+", re.IGNORECASE)


def divided(answer: Answer, urls: Sequence[str], reply: Reply) -> Answer:
    """
    Divide a batch that was rejected: into what the reply does not blame, else into halves.

    Args:
        answer: What was made of the reply.
        urls: Those that may be to blame.

    """
    named = _named(urls, reply.text)
    if 0 < len(named) < len(urls):
        rest = [url for url in urls if url not in named]
        return answer._replace(parts=(rest,), refused={**answer.refused, **_because(named, answer)})
    if len(urls) < 2:
        return answer
    middle = len(urls) // 2
    return answer._replace(parts=(urls[:middle], urls[middle:]))


def _named(urls: Sequence[str], text: str) -> set[str]:
    """Find URLs that a reply names."""
    found = {url.rstrip(".:)]}") for url in _url.findall(text.replace("\\/", "/"))}
    return found.intersection(urls)


def _because(urls: set[str], answer: Answer) -> Mapping[str, str]:
    return dict.fromkeys(urls, answer.why)
