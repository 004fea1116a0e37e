"""
The division of a rejected batch into parts.

It ends when the URLs that a batch is rejected for are found, or when the parts are small enough.
"""

from collections.abc import Callable, Iterator
from itertools import islice

from sitemapx.submit.engines.engine import SubmissionBatch
from sitemapx.submit.engines.exchange import Answer

__all__ = ["BatchSize", "Division"]

#: How often a batch is divided at most. To find one of 10,000 URLs takes 14 times.
_MOST = 64
_TOO_LARGE = 413


class Division:
    """
    The parts of a batch that are still to be sent; first, that is all of it.

    Attributes:
        waiting: These parts; the next one is the last in the list.
        is_dead_end: Whether the last part was rejected, and is not divided any further.
        rejected: The last answer that blames the URLs.

    """

    def __init__(self, batch: SubmissionBatch) -> None:
        self.waiting = [batch]
        self.is_dead_end = False
        self.rejected: Answer | None = None
        self._count = 0

    @property
    def is_begun(self) -> bool:
        """Whether the batch was divided."""
        return self._count > 0

    @property
    def may_go_on(self) -> bool:
        """Whether a part may be divided once more."""
        return self._count < _MOST

    def next(self, *, is_lost: bool) -> SubmissionBatch:
        """
        Take the part to send next.

        It is searched depth first, so that good parts are accepted early.

        Args:
            is_lost: Whether nothing was accepted at a dead end: then the largest part is the
                likeliest to have something good.

        """
        return self.waiting.pop(0 if is_lost else -1)

    def take(self, part: SubmissionBatch, answer: Answer, *, accepts: bool) -> None:
        """
        Take the answer to a part, and divide the part if the answer does.

        Args:
            accepts: Whether the engine accepts URLs of the site. Until then, the URLs that its
                messages name lead nowhere after the first division: it might reject them all.

        """
        parts = answer.parts
        if answer.blames_urls:
            self.rejected = answer
            if parts and self.is_begun and not accepts:
                middle = len(part.items) // 2
                parts = (part.urls[:middle], part.urls[middle:])
        self.is_dead_end = answer.blames_urls and not parts
        if parts and self.may_go_on:
            self._count += 1
            items = {item.url: item for item in part.items}
            self.waiting += [
                part._replace(items=[items[url] for url in urls]) for urls in reversed(parts)
            ]


class BatchSize:
    """The most items that a search engine takes at once, as far as it has said."""

    def __init__(self, most: int | None, keep: Callable[[int], object]) -> None:
        """
        Take what is known.

        Args:
            most: The number; None if it is not known.
            keep: Called with a number that was learned, once such a batch was accepted: a server
                that rejects everything says nothing of sizes.

        """
        self._most, self._keep = most, keep
        self._is_kept = True

    def divided(self, batch: SubmissionBatch) -> Iterator[SubmissionBatch]:
        """Yield a batch in parts that are not too large."""
        items = iter(batch.items)
        while some := list(islice(items, self._most)):
            yield batch._replace(items=some)

    def learn(self, batch: SubmissionBatch, answer: Answer) -> Answer:
        """
        Take an answer: it may reject a batch as too large, or accept one of the size learned.

        Returns:
            The answer with the parts to send instead; unchanged if it says something else, or if
            the batch cannot be divided.

        """
        if answer.state == "accepted" and self._most and not self._is_kept:
            self._is_kept = True
            self._keep(self._most)
        count = len(batch.items)
        most = answer.most or (count // 2 if answer.status == _TOO_LARGE else count)
        if not 0 < most < count:
            return answer
        self._most, self._is_kept = most, False
        parts = [part.urls for part in self.divided(batch)]
        return answer._replace(parts=parts, ends=False, blames_urls=False)
