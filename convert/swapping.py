"""
Put finished files into their places: all of them, or none.

No file system replaces several files at once. What can be done is done here: the moment is as
short as can be, and a process of its own, in a session of its own, does it. Whoever kills the
command in that moment does not stop half-way what has begun. (So this module runs as a script,
and imports nothing that is not quick to import; what only several files need, only for them.)
"""

import os
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

__all__ = ["Swap", "swap_in"]


class Swap(NamedTuple):
    """A finished file under its temporary name, and the file that it becomes."""

    path: str
    target: str


def swap_in(swaps: Sequence[Swap], stale: Sequence[str] = ()) -> None:
    """
    Put all files into their places, in order, then remove what is stale.

    Raises:
        OutputError: If one cannot be replaced; then all is as before.

    """
    from sitemapx.errors import OutputError

    try:
        _swap_safely(swaps, stale)
    except OSError as error:
        raise OutputError(f"{error.filename2 or error.filename}: {error.strerror}") from error


def _swap_safely(swaps: Sequence[Swap], stale: Sequence[str]) -> None:
    if len(swaps) + len(stale) < 2 or not sys.executable:
        _swap(swaps, stale)
        return
    import json
    import subprocess

    # -I and -S: no settings and packages of anybody, and a start in a few milliseconds.
    process = subprocess.Popen(  # noqa: S603 - this very file
        [sys.executable, "-I", "-S", __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    given = json.dumps([swaps, stale]).encode()
    interruption: BaseException | None = None
    answer: bytes | None = None
    while answer is None:
        try:
            answer = process.communicate(given)[0]
        except (KeyboardInterrupt, SystemExit) as error:  # too late: it is being done
            interruption = error
    if answer:
        raise OSError(*json.loads(answer))
    if interruption:
        raise interruption


def _swap(swaps: Sequence[Swap], stale: Sequence[str]) -> None:
    done: list[tuple[str, str | None]] = []
    try:
        for path, target in swaps:
            kept = _keep(target)
            done.append((target, kept))
            _take_mode(path, target)
            os.replace(path, target)
    except BaseException:
        for target, kept in reversed(done):
            if kept:
                os.replace(kept, target)  # does nothing if they are still the same file
            with suppress(FileNotFoundError):
                os.unlink(kept or target)
        raise
    for path in (*(kept for _, kept in done if kept), *stale):
        with suppress(FileNotFoundError):
            os.unlink(path)


def _keep(target: str) -> str | None:
    """Keep the present file under a second name."""
    if not os.path.lexists(target):
        return None
    folder, name = os.path.split(target)
    kept = os.path.join(folder, f".{name}.{os.getpid()}.old")
    with suppress(FileNotFoundError):
        os.unlink(kept)
    try:
        os.link(target, kept)
    except OSError:  # a file system without links, or a folder in the way
        from shutil import copy2

        copy2(target, kept)
    return kept


def _take_mode(path: str, target: str) -> None:
    """Give a new file the permissions of the one that it replaces."""
    with suppress(FileNotFoundError):
        os.chmod(path, stat.S_IMODE(os.stat(target).st_mode))


def _main() -> None:
    """Do what standard input says; answer with an error, or nothing."""
    import json

    given = sys.stdin.buffer.read()
    try:
        _swap(*json.loads(given))
    except ValueError:  # whoever asked died while asking: nothing was begun, and nothing is
        return
    except OSError as error:
        named = (error.errno, error.strerror, error.filename, None, error.filename2)
        print(json.dumps(named))


if __name__ == "__main__":
    _main()
