"""The result of looking at a batch by itself, which may be done by the process that read it."""

from typing import NamedTuple

from sitemapx.check.positions import Position
from sitemapx.check.urlindex import BatchUrls
from sitemapx.convert.model.batch import Batch

__all__ = ["BatchInspection", "EntryFinding", "InspectedBatch"]


class EntryFinding(NamedTuple):
    """A finding in an entry."""

    position: Position
    code: str
    message: str
    loc: str | None


class BatchInspection(NamedTuple):
    """
    What is known of a batch by itself.

    Attributes:
        urls: Its URLs.
        findings: Findings in its entries.
        is_valid: Whether the official schema need not judge it.

    """

    urls: BatchUrls
    findings: list[EntryFinding]
    is_valid: bool


class InspectedBatch(Batch):
    """A batch from another process, which inspected it as well."""

    def __init__(self, batch: Batch, inspection: BatchInspection) -> None:
        super().__init__(())
        self.batch = batch
        self.inspection = inspection

    def __len__(self) -> int:
        return len(self.batch)
