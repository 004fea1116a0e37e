"""Blocks that are cut before it is their turn."""

from collections.abc import Iterator

from sitemapx.convert.model.reporter import HeldProblem, Reporter
from sitemapx.convert.xml.cutting.block import Block

__all__ = ["CutAhead"]


class CutAhead:
    """Cuts blocks ahead of their turn, and keeps what is wrong until then."""

    def __init__(self, blocks: Iterator[Block], reporter: Reporter) -> None:
        self._blocks = blocks
        self._reporter = reporter
        self._last: list[HeldProblem] = []
        self._error: Exception | None = None

    def next(self) -> Block | None:
        """Cut a block; None if there is no other, or nothing can be read."""
        if self._error:
            return None
        with self._reporter.holding() as held:
            try:
                block = next(self._blocks, None)
            except Exception as error:  # noqa: BLE001  # raised again once it is its turn
                self._error, block = error, None
        if block is None:
            self._last += held
            return None
        return block._replace(held=tuple(held)) if held else block

    def end(self) -> None:
        """Report what was wrong after the last block, and why no more could be read."""
        for code, message, details in self._last:
            self._reporter.problem(code, message, **details)
        if self._error:
            raise self._error
