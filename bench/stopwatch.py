"""
Run one command and note its time and memory: `python -I -S stopwatch.py NOTE COMMAND...`.

Linux counts the memory of the process that starts another as if the other had used it. So this is
a process of its own, and smaller than any that is measured.
"""

import os
import sys
import time


def main(note: str, *command: str) -> None:
    """Write seconds by the clock, seconds of processor time, peak bytes and the exit status."""
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    with open(note, "w") as file:
        seconds, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        print(wall, seconds, peak, os.waitstatus_to_exitcode(status), file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
