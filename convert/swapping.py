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
from itertools import count

__all__ = ["HOST", "Swap", "swap_in", "temporary"]

_name = os.uname().nodename if hasattr(os, "uname") else ""
#: Tells this machine, or container, from others with which it shares a disk: a checksum of its
#: name, by the largest prime number that fits.
HOST = f"{int.from_bytes(_name.encode(), 'big') % 0xFFFFFFFB:08x}"
_numbers = count(1)

#: The path of a finished file, under its temporary name, and that of the file that it becomes.
Swap = tuple[str, str]


def temporary(path: str) -> str:
    """Give a name for something that lies beside a file for a while, and tells whose it is."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.{HOST}-{os.getpid()}-{next(_numbers)}.tmp")


def swap_in(swaps: Sequence[Swap], stale: Sequence[str] = (), lock: int | None = None) -> None:
    """
    Put all files into their places, in order, then remove what is stale.

    Args:
        lock: The descriptor of a lock that is to last as long, even if this process is killed.

    Raises:
        OutputError: If one cannot be replaced; then all is as before.

    """
    from sitemapx.errors import OutputError

    try:
        _swap_safely(swaps, stale, lock)
    except OSError as error:
        raise OutputError(f"{error.filename2 or error.filename}: {error.strerror}") from error


def _swap_safely(swaps: Sequence[Swap], stale: Sequence[str], lock: int | None) -> None:
    if len(swaps) == 1 and not stale:  # needs no way back
        _put(*swaps[0])
        return
    if not swaps or not sys.executable:
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
        pass_fds=() if lock is None else (lock,),
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
            _put(path, target)
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
    kept = f"{temporary(target)}.old"
    try:
        os.link(target, kept)
    except OSError:  # a file system without links, or a folder in the way
        from shutil import copy2

        copy2(target, kept)
    return kept


def _put(path: str, target: str) -> None:
    """Put a new file into its place, with the permissions of the one that it replaces."""
    with suppress(FileNotFoundError):
        os.chmod(path, stat.S_IMODE(os.stat(target).st_mode))
    os.replace(path, target)


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
