"""
Runs commands alternately, and measures time and memory.

Disturbances on a machine last longer than a run. So two commands run A B A B …, and each A is
compared with the B next to it.
"""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.checks import Check, OutputError

__all__ = ["Command", "CommandError", "Run", "Spread", "run_alternately", "summarize"]

#: Short runs are repeated for more rounds, up to this total time in seconds and number of rounds.
_ENOUGH_SECONDS = 8.0
_ENOUGH_ROUNDS = 25

_STOPWATCH = Path(__file__).with_name("stopwatch.py")


@dataclass(frozen=True)
class Command:
    """
    A command to measure.

    Attributes:
        name: Name in the report.
        argv: Arguments; the command runs in an empty directory.
        check: Check of its output.
        needs: Package or format of sitemapx that the command requires; empty for none.

    """

    name: str
    argv: tuple[str, ...]
    check: Check
    needs: str = ""


class CommandError(Exception):
    """A command failed, or its output is wrong."""

    def __init__(self, command: Command, reason: str) -> None:
        super().__init__(f"{command.name}: {reason}")
        self.command = command


@dataclass(frozen=True)
class Run:
    """
    Time and memory of one run of a command.

    Attributes:
        wall: Wall-clock time in seconds.
        cpu: Processor time in seconds, of all threads and processes.
        memory: Peak resident bytes of the largest process.

    """

    wall: float
    cpu: float
    memory: int


@dataclass(frozen=True)
class Spread:
    """Median, minimum and maximum of some values."""

    median: float
    least: float
    greatest: float


def summarize(values: Sequence[float]) -> Spread:
    return Spread(median(values), min(values), max(values))


def run_alternately(
    ours: Command, peer: Command, rounds: int, scratch: Path
) -> list[tuple[Run, Run]]:
    """
    Run two commands alternately.

    Args:
        ours: The first command.
        peer: The second command.
        rounds: Minimum number of runs of each; 0 for exactly one, however short.
        scratch: Directory for their output.

    Raises:
        CommandError: If a command fails; outputs are checked in the first round.

    """
    pairs: list[tuple[Run, Run]] = []
    seconds = 0.0
    while (
        not pairs
        or len(pairs) < rounds
        or (rounds and seconds < _ENOUGH_SECONDS and len(pairs) < _ENOUGH_ROUNDS)
    ):
        is_first = not pairs
        pair = _run(ours, scratch, is_checked=is_first), _run(peer, scratch, is_checked=is_first)
        pairs.append(pair)
        seconds += pair[0].wall + pair[1].wall
    return pairs


def _run(command: Command, scratch: Path, *, is_checked: bool) -> Run:
    with TemporaryDirectory(dir=scratch) as name:
        folder = Path(name)
        run, status = _timed(command, folder)
        if status:
            raise CommandError(command, _last_words(folder / "stderr", status))
        if is_checked:
            try:
                command.check(folder)
            except OutputError as error:
                raise CommandError(command, str(error)) from error
    return run


def _timed(command: Command, folder: Path) -> tuple[Run, int]:
    note = folder / "note"
    stopwatch = (sys.executable, "-I", "-S", str(_STOPWATCH), str(note))
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        subprocess.run(
            (*stopwatch, *command.argv),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=folder,
            check=True,
        )
    wall, cpu, memory, status = note.read_text().split()
    return Run(float(wall), float(cpu), int(memory)), int(status)


def _last_words(stderr: Path, status: int) -> str:
    lines = stderr.read_text(encoding="utf-8", errors="replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return said[-1] if said else f"ended with status {status}"
