"""
Runs a command and records time and memory: `python -I -S stopwatch.py NOTE COMMAND...`.

Until a forked child executes a program, Linux counts the memory of its parent as its own. So the
stopwatch is a separate process that is smaller than any measured program.
"""

import os
import sys
import time


def main(note: str, *command: str) -> None:
    """Run a command; write wall-clock and CPU seconds, peak bytes and exit status to `note`."""
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    with open(note, "w") as file:
        seconds, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        print(wall, seconds, peak, os.waitstatus_to_exitcode(status), file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
