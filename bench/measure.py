"""
Run commands in turn and take their time and memory.

A machine is never quiet for long, and what disturbs it lasts longer than a run. So two commands
are run A B A B ..., and each A is compared with the B beside it.
"""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.checks import Check, OutputError

__all__ = ["Command", "CommandError", "Run", "Spread", "in_turn", "spread"]

#: Short runs are repeated beyond the number of rounds, until they took this many seconds in all
#: or there are so many rounds.
_ENOUGH_SECONDS = 8.0
_ENOUGH_ROUNDS = 25

_STOPWATCH = Path(__file__).with_name("stopwatch.py")


@dataclass(frozen=True)
class Command:
    """
    What is run, as a whole process.

    Attributes:
        name: What the report calls it.
        argv: What to start; it runs in an empty folder.
        check: Whether it did what it should have.
        needs: What must be installed for it, or the format that sitemapx must read; may be empty.

    """

    name: str
    argv: tuple[str, ...]
    check: Check
    needs: str = ""


class CommandError(Exception):
    """
    A command ended with another status than 0, or did not pass its check.

    Attributes:
        command: The one that did.

    """

    def __init__(self, command: Command, reason: str) -> None:
        super().__init__(f"{command.name}: {reason}")
        self.command = command


@dataclass(frozen=True)
class Run:
    """
    One run.

    Attributes:
        wall: Seconds by the clock.
        cpu: Seconds of processor time, of all its threads and processes.
        memory: Peak resident bytes of its largest process.

    """

    wall: float
    cpu: float
    memory: int


@dataclass(frozen=True)
class Spread:
    """The median of some values, the least and the greatest."""

    median: float
    least: float
    greatest: float


def spread(values: Sequence[float]) -> Spread:
    """Sum up the values of all rounds."""
    return Spread(median(values), min(values), max(values))


def in_turn(ours: Command, peer: Command, rounds: int, scratch: Path) -> list[tuple[Run, Run]]:
    """
    Run two commands in turn.

    Args:
        ours: The first of the two.
        peer: The second.
        rounds: How often each is run, at least; 0 is once, however short that is.
        scratch: Folder for what they write.

    Raises:
        CommandError: If one does; checks are made in the first round.

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
