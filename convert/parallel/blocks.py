"""
Worker processes that read the blocks of one document, each a part of them.

They begin as copies of this process when a document turns out to be large, so they know what was
read before its first block. Blocks and answers lie in memory that all of them share; what goes
through pipes is only where they are. So nobody waits for anybody but for an answer.
"""

import os
import signal
import struct
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, NamedTuple, cast

from sitemapx.convert.formats.blockmap import BlockSource, ReadBlock, in_turn
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.model.reporter import Reporter, Tallies
from sitemapx.convert.parallel.cutahead import CutAhead
from sitemapx.convert.parallel.slots import SharedSlots, packed, unpacked
from sitemapx.convert.xml.cutting.block import Block

if TYPE_CHECKING:
    from sitemapx.convert.parallel.worker import Encode

__all__ = ["read_blocks"]

#: A block that a worker shall read: its slot and size, and the line and column where it begins.
_TASK = struct.Struct("4q")
#: Bytes of the number that is the size of an answer.
_SIZE = 4

#: So many blocks of each worker are under way: with more, nothing is faster.
_SLOTS = 4
#: A worker with so many blocks to read has enough to do.
_ENOUGH = 2
#: When there are so many more blocks without an answer than with one, workers do not pay off.
_MOST_MISSED = 10
#: The codes of problems that are reported of each entry that has them, whatever came before.
_OF_ENTRIES = frozenset(
    {
        "bad-changefreq",
        "bad-date",
        "bad-duration",
        "bad-priority",
        "bad-rating",
        "bad-value",
        "no-loc",
        "relative-loc",
        "unknown-element",
        "unknown-zone",
    }
)


def read_blocks(
    source: BlockSource,
    blocks: Iterable[Block],
    number: int,
    read: ReadBlock,
    encode: "Encode",
    see: Callable[[Block, BlockSource], object],
    reporter: Reporter,
) -> Iterator[Batch | None]:
    """
    Read blocks with so many processes, of which this is one, and give their batches in order.

    This process reads blocks while all others have enough to do. It reads one itself that is the
    last, or too large, or has problems that may be of the whole document, and all once most have
    such problems. Once one is cut within an item, the document is cut anew from there on, and read
    here.

    Args:
        source: The document of the blocks.
        blocks: Those that are left; they need not end with outer items.
        encode: What is done with the batches before they are handed over, if they can be.
        see: Called with each block that a worker read, before its batch is given.
        reporter: Reports problems of the blocks.

    """
    ahead = CutAhead(iter(blocks), reporter)
    waiting: deque[tuple[Block, _Slot | None]] = deque()
    with ExitStack() as stack:
        workers: list[_BlockWorker] = []
        with suppress(OSError):  # there may be fewer of them, or none
            for _ in range(number - 1):
                workers.append(_BlockWorker(read, encode, reporter))
                stack.callback(workers[-1].close)
        crew = _Crew(workers)
        while True:
            if crew.has_room(waiting) and (block := ahead.next()):
                waiting.append((block, crew.begun(block)))
                continue
            if not waiting:
                ahead.end()
                return
            block, slot = waiting.popleft()
            block = source.told(block)
            answer = crew.answer(slot) if slot else None
            if answer:
                see(block, source)
                deque(map(reporter.handler, answer.problems), maxlen=0)
                reporter.add_tallies(answer.tallies)
            batch = answer.batch if answer else read(block)
            if batch is None and not source.is_whole(block):
                break
            yield batch
    source.take_back([block, *(later for later, _ in waiting)])
    yield from in_turn(read, source, source.blocks())
    ahead.end()


class _BlockAnswer(NamedTuple):
    """
    What a worker made of a block.

    Attributes:
        batch: The batch.
        problems: The problems of its entries.
        tallies: What was counted on the way.

    """

    batch: Batch
    problems: Sequence[Problem]
    tallies: Tallies


class _Slot(NamedTuple):
    """Memory for a block and its answer, which a worker shares with this process."""

    worker: "_BlockWorker"
    number: int


class _Crew:
    """The workers, and what each has to do."""

    def __init__(self, workers: "Sequence[_BlockWorker]") -> None:
        self._free = deque(_Slot(worker, number) for number in range(_SLOTS) for worker in workers)
        self._workers = workers
        self._since_own = 0
        self._missed = 0

    def has_room(self, waiting: Collection[object]) -> bool:
        """Return whether another block may be cut."""
        return not waiting or (self._pays_off and bool(self._free))

    @property
    def _pays_off(self) -> bool:
        return self._missed <= _MOST_MISSED

    def begun(self, block: Block) -> _Slot | None:
        """Have a worker read a block; None if it is for this process."""
        if not (block.is_last or block.has_excess or self._is_fed()) and self._pays_off:
            slot = self._free[0]
            if slot.worker.begin(slot.number, block):
                self._since_own += 1
                return self._free.popleft()
        self._since_own = 0
        return None

    def _is_fed(self) -> bool:
        """Return whether all workers have enough to do while this process reads a block."""
        is_turn = self._since_own >= len(self._workers)
        return is_turn and all(worker.to_do >= _ENOUGH for worker in self._workers)

    def answer(self, slot: _Slot) -> "_BlockAnswer | None":
        """Wait for what was made of the block in a slot; None if nothing."""
        answer = slot.worker.answer(slot.number)
        self._free.append(slot)
        self._missed = max(self._missed - 1, 0) if answer else self._missed + 1
        return answer


class _BlockWorker:
    """A worker process, as this process sees it."""

    def __init__(self, read: ReadBlock, encode: "Encode", reporter: Reporter) -> None:
        self._slots = SharedSlots(_SLOTS)  # the number is how many blocks it has read
        self._begun = 0
        tasks, self._tasks = os.pipe()
        try:
            self._answers, answers = os.pipe()
        except OSError:
            os.close(tasks)
            os.close(self._tasks)
            raise
        try:
            self._process = os.fork()
            if not self._process:
                try:
                    self._close_pipes()  # which are for the other process alone
                    _work(tasks, answers, self._slots, read, encode, reporter)
                finally:
                    os._exit(0)  # whatever happened, nothing else is for this process to do
        except OSError:
            self._close_pipes()
            raise
        finally:
            os.close(tasks)
            os.close(answers)

    def begin(self, slot: int, block: Block) -> bool:
        """
        Have a block read; if the worker has ended, that shows when it should answer.

        Returns:
            False if it is too large.

        """
        size = self._slots.write(slot, [block.data])
        if not size:
            return False
        self._begun += 1
        with suppress(OSError):
            os.write(self._tasks, _TASK.pack(slot, size, block.line, block.column))
        return True

    @property
    def to_do(self) -> int:
        """How many blocks it has not read yet."""
        return self._begun - self._slots.number

    def answer(self, slot: int) -> "_BlockAnswer | None":
        """Wait for what was made of the first block that was not answered for; None if nothing."""
        size = int.from_bytes(os.read(self._answers, _SIZE), "big")
        return cast(_BlockAnswer, unpacked(self._slots.read(slot, size))) if size else None

    def close(self) -> None:
        """End it, whatever it is at."""
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._close_pipes()
        self._slots.close()

    def _close_pipes(self) -> None:
        os.close(self._tasks)
        os.close(self._answers)


def _work(
    tasks: int,
    answers: int,
    slots: SharedSlots,
    read: ReadBlock,
    encode: "Encode",
    reporter: Reporter,
) -> None:
    """
    Read blocks as long as there is somebody to ask for them.

    Args:
        tasks: The pipe that says in which slots blocks are.
        answers: The pipe that takes the size of what is in their place then, 0 if nothing is.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    problems: list[Problem] = []
    reporter.redirect(problems.append)
    with suppress(OSError):
        while task := os.read(tasks, _TASK.size):
            slot, size, line, column = _TASK.unpack(task)
            data = bytes(slots.read(slot, size))
            block = Block(data, line, is_last=False, column=column)
            before = reporter.tallies()
            batch = read(block)
            answer = None
            losses: list[Problem] = []
            if batch and all(problem.code in _OF_ENTRIES for problem in problems):
                for encoded in encode([batch], losses.append):
                    answer = _BlockAnswer(encoded, problems, reporter.tallies_since(before))
            size = slots.write(slot, packed(answer)) if answer and not losses else 0
            problems.clear()
            slots.number += 1
            os.write(answers, size.to_bytes(_SIZE, "big"))
