"""
Worker processes that read the blocks of one document, each a part of them.

They begin as copies of this process when a document turns out to be large, so they know what was
read before its first block. Blocks and answers lie in memory that all of them share; what goes
through pipes is only where they are. So nobody waits for anybody but for an answer.
"""

import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import accumulate, pairwise
from mmap import mmap
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple

from sitemapx.convert.formats.blockmap import BlockSource, ReadBlock
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.model.reporter import Reporter, Tallies
from sitemapx.convert.parallel.worker import Encode
from sitemapx.convert.xml.cutting.cutter import Block

__all__ = ["read_blocks"]

_fork = get_context("fork")  # any other method imports the caller's program once more

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
    encode: Encode,
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

    def __init__(self, read: ReadBlock, encode: Encode, reporter: Reporter) -> None:
        self._memory = mmap(-1, _SLOTS * _SLOT)
        self._connection, other = _fork.Pipe()
        arguments = (other, self._connection, self._memory, read, encode, reporter)
        self._process = _fork.Process(target=_work, args=arguments, daemon=True)
        with other:
            self._process.start()

    def begin(self, slot: int, block: Block) -> None:
        """Have a block read; if the worker has ended, that shows when it should answer."""
        start = slot * _SLOT
        self._memory[start : start + len(block.data)] = block.data
        with suppress(OSError):
            self._connection.send((slot, len(block.data), block.line, block.column))

    def answer(self, slot: int) -> "_BlockAnswer | None":
        """Wait for what was made of the first block that was not answered for; None if nothing."""
        try:
            sizes: list[int] = self._connection.recv()
        except (OSError, EOFError):
            return None
        ends = pairwise(accumulate(sizes, initial=slot * _SLOT))
        data, *buffers = (self._memory[start:end] for start, end in ends) if sizes else (b"",)
        return pickle.loads(data, buffers=buffers) if data else None  # noqa: S301 - our own process

    def close(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._connection.close()
        self._memory.close()


def _work(
    tasks: Connection,
    parent: Connection,
    memory: mmap,
    read: ReadBlock,
    encode: Encode,
    reporter: Reporter,
) -> None:
    """
    Read blocks as long as there is somebody to ask for them.

    Args:
        tasks: Gives where a block is in the memory; takes the sizes of the parts of the answer.
        parent: The other end, which is for the other process alone.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent.close()
    problems: list[Problem] = []
    reporter.redirect(problems.append)
    with suppress(EOFError, OSError):
        while True:
            slot, size, line, column = tasks.recv()
            start = slot * _SLOT
            block = Block(memory[start : start + size], line, is_last=False, column=column)
            before = reporter.tallies()
            batch = read(block)
            answer: list[bytes | memoryview] = []
            losses: list[Problem] = []
            if batch and all(problem.code in _OF_ENTRIES for problem in problems):
                for encoded in encode([batch], losses.append):
                    whole = _BlockAnswer(encoded, problems, reporter.tallies_since(before))
                    answer = _pickled(whole)
            if losses or sum(map(len, answer)) > _SLOT:
                answer = []
            problems.clear()
            for part in answer:
                memory[start : start + len(part)] = part
                start += len(part)
            tasks.send(list(map(len, answer)))


def _pickled(answer: _BlockAnswer) -> list[bytes | memoryview]:
    """Pickle an answer, and return its large parts behind it: so they are not copied before."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    return [data, *(buffer.raw() for buffer in buffers)]
