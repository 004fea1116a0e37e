"""The division of a rejected batch into parts, until the URLs that it is rejected for are found."""

from sitemapx.submit.engines.engine import SubmissionBatch
from sitemapx.submit.engines.exchange import Answer

__all__ = ["Division"]

#: How often a batch is divided at most. To find one of 10,000 URLs takes 14 times.
_MOST = 64


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

    def take(self, part: SubmissionBatch, answer: Answer) -> None:
        """Take the answer to a part, and divide the part if the answer does."""
        if answer.blames_urls:
            self.rejected = answer
        self.is_dead_end = answer.blames_urls and not answer.parts
        if answer.parts and self.may_go_on:
            self._count += 1
            items = {item.url: item for item in part.items}
            self.waiting += [
                part._replace(items=[items[url] for url in urls]) for urls in reversed(answer.parts)
            ]
