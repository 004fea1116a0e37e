"""
Worker processes that read the blocks of one document, each a part of them.

They begin as copies of this process when a document turns out to be large, so they know what was
read before its first block. Blocks and answers lie in memory that all of them share; what goes
through pipes is only where they are. So nobody waits for anybody but for an answer.
"""

import os
import pickle
import signal
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import accumulate, pairwise
from mmap import mmap
from typing import TYPE_CHECKING, NamedTuple

from sitemapx.convert.formats.blockmap import BlockSource, ReadBlock
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.model.reporter import Reporter, Tallies
from sitemapx.convert.xml.cutting.cutter import Block

if TYPE_CHECKING:
    from sitemapx.convert.parallel.worker import Encode

__all__ = ["read_blocks"]

#: A block in the memory of a worker: its slot and size, and the line and column where it begins.
_TASK = struct.Struct("4q")
#: The number of the parts of an answer, or the size of one.
_NUMBER = struct.Struct("q")

#: A block, or what is made of it, that is larger is read by this process.
_SLOT = 1 << 20
#: So many blocks of each worker are under way: with more, nothing is faster.
_SLOTS = 3
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
    Read blocks with so many workers, and give their batches in order.

    A block that is the last, or too large, or has problems that may be of the whole document, is
    read here as well; all are once most have such problems. Once one is cut within an item, the
    document is cut anew from there on, and read here.

    Args:
        source: The document of the blocks.
        blocks: Those that are left; they need not end with outer items.
        encode: What is done with the batches before they are handed over, if they can be.
        see: Called with each block that a worker read, before its batch is given.
        reporter: Reports problems of the blocks.

    """
    blocks = iter(blocks)
    waiting: deque[tuple[Block, _Slot | None]] = deque()
    missed = 0
    with ExitStack() as stack:
        workers = [
            stack.enter_context(closing(_BlockWorker(read, encode, reporter)))
            for _ in range(number)
        ]
        free = deque(_Slot(worker, number) for number in range(_SLOTS) for worker in workers)
        most = len(free)
        while True:
            if len(waiting) < most and free and (block := next(blocks, None)):
                waiting.append((block, _begun(block, free) if most > 1 else None))
            elif waiting:
                block, slot = waiting[0]
                answer = slot.worker.answer(slot.number) if slot else None
                if answer is None and not source.is_whole(block):
                    break
                waiting.popleft()
                if slot:
                    free.append(slot)
                    missed = max(missed - 1, 0) if answer else missed + 1
                    most = most if missed <= _MOST_MISSED else 1
                if answer:
                    see(block, source)
                    deque(map(reporter.handler, answer.problems), maxlen=0)
                    reporter.add_tallies(answer.tallies)
                yield answer.batch if answer else read(block._replace(is_checked=True))
            else:
                return
    source.take_back([block for block, _ in waiting])
    yield from map(read, source.blocks())


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


def _begun(block: Block, free: deque[_Slot]) -> _Slot | None:
    """Have a worker read a block; None if it is for this process."""
    if block.is_last or len(block.data) > _SLOT:
        return None
    slot = free.popleft()
    slot.worker.begin(slot.number, block)
    return slot


class _BlockWorker:
    """A worker process, as this process sees it."""

    def __init__(self, read: ReadBlock, encode: "Encode", reporter: Reporter) -> None:
        self._memory = mmap(-1, _SLOTS * _SLOT)
        tasks, self._tasks = os.pipe()
        self._answers, answers = os.pipe()
        try:
            self._process = os.fork()
            if not self._process:
                try:
                    self._close_pipes()  # which are for the other process alone
                    _work(tasks, answers, self._memory, read, encode, reporter)
                finally:
                    os._exit(0)  # whatever happened, nothing else is for this process to do
        except OSError:
            self._close_pipes()
            raise
        finally:
            os.close(tasks)
            os.close(answers)

    def begin(self, slot: int, block: Block) -> None:
        """Have a block read; if the worker has ended, that shows when it should answer."""
        start = slot * _SLOT
        self._memory[start : start + len(block.data)] = block.data
        with suppress(OSError):
            os.write(self._tasks, _TASK.pack(slot, len(block.data), block.line, block.column))

    def answer(self, slot: int) -> "_BlockAnswer | None":
        """Wait for what was made of the first block that was not answered for; None if nothing."""
        number = os.read(self._answers, _NUMBER.size)
        return _read_answer(self._memory, slot, *_NUMBER.unpack(number)) if number else None

    def close(self) -> None:
        """End it, whatever it is at."""
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._close_pipes()
        self._memory.close()

    def _close_pipes(self) -> None:
        os.close(self._tasks)
        os.close(self._answers)


def _work(
    tasks: int,
    answers: int,
    memory: mmap,
    read: ReadBlock,
    encode: "Encode",
    reporter: Reporter,
) -> None:
    """
    Read blocks as long as there is somebody to ask for them.

    Args:
        tasks: The pipe that says where blocks are in the memory.
        answers: The pipe that takes how many parts each answer has.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    problems: list[Problem] = []
    reporter.redirect(problems.append)
    with suppress(OSError):
        while task := os.read(tasks, _TASK.size):
            slot, size, line, column = _TASK.unpack(task)
            start = slot * _SLOT
            block = Block(memory[start : start + size], line, is_last=False, column=column)
            before = reporter.tallies()
            batch = read(block)
            answer = None
            losses: list[Problem] = []
            if batch and all(problem.code in _OF_ENTRIES for problem in problems):
                for encoded in encode([batch], losses.append):
                    answer = _BlockAnswer(encoded, problems, reporter.tallies_since(before))
            number = _write_answer(memory, slot, answer) if answer and not losses else 0
            problems.clear()
            os.write(answers, _NUMBER.pack(number))


def _write_answer(memory: mmap, slot: int, answer: _BlockAnswer) -> int:
    """Write the sizes of its parts, and these; return how many there are, 0 if it is too large."""
    buffers: list[pickle.PickleBuffer] = []  # large parts, which are not copied before
    data = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    parts: list[bytes | memoryview] = [data, *(buffer.raw() for buffer in buffers)]
    sizes = [*map(len, parts)]
    at = slot * _SLOT
    if sum(sizes) + len(sizes) * _NUMBER.size > _SLOT:
        return 0
    struct.pack_into(f"{len(sizes)}q", memory, at, *sizes)
    at += len(sizes) * _NUMBER.size
    for part in parts:
        memory[at : at + len(part)] = part
        at += len(part)
    return len(parts)


def _read_answer(memory: mmap, slot: int, number: int) -> _BlockAnswer | None:
    if not number:
        return None
    sizes = struct.unpack_from(f"{number}q", memory, slot * _SLOT)
    ends = pairwise(accumulate(sizes, initial=slot * _SLOT + number * _NUMBER.size))
    data, *buffers = (memory[start:end] for start, end in ends)
    answer: _BlockAnswer = pickle.loads(data, buffers=buffers)  # noqa: S301 - our own process
    return answer
