"""
Run the command many times without the time that Python and imports take.

A process that has imported everything forks for each run. What runs is a process of its own as
ever: with its own folder, environment, input and output.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

__all__ = ["Forks", "forks"]

_WAITING = """
import json, os, sys
import requests
import sitemapx.cli.app, sitemapx.convert.http.client
from sitemapx.cli import main
from sitemapx.cli.commands.submit import command, key, retry
from sitemapx.cli.commands.submit.journal import log, status
from sitemapx.submit.engines.registry import all_engines

list(all_engines())
jobs, answers = os.fdopen(int(sys.argv[1])), os.fdopen(int(sys.argv[2]), "w")
for line in jobs:
    job = json.loads(line)
    pid = os.fork()
    if not pid:
        os.chdir(job["folder"])
        os.environ.clear()
        os.environ.update(job["environment"])
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        for number, flag in enumerate((os.O_RDONLY, flags, flags)):
            os.dup2(os.open(job["files"][number], flag, 0o600), number)
        os.umask(0o022)
        sys.exit(main(job["arguments"]))
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=answers, flush=True)
"""


class Forks:
    """Runs the command; see above."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        jobs, self._jobs = os.pipe()
        self._answers, answers = os.pipe()
        command = [sys.executable, "-c", _WAITING, str(jobs), str(answers)]
        self._process = subprocess.Popen(command, pass_fds=(jobs, answers))
        os.close(jobs)
        os.close(answers)
        self._said = os.fdopen(self._answers)

    def run(
        self, arguments: list[str], folder: Path, environment: dict[str, str], given: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the command once."""
        files = [self._folder / name for name in ("in", "out", "err")]
        files[0].write_bytes(given)
        job = {
            "arguments": arguments,
            "folder": str(folder),
            "environment": environment,
            "files": list(map(str, files)),
        }
        os.write(self._jobs, f"{json.dumps(job)}\n".encode())
        status = int(self._said.readline())
        _, out, err = (path.read_bytes() for path in files)
        return subprocess.CompletedProcess(arguments, status, out, err)

    def close(self) -> None:
        """End."""
        os.close(self._jobs)
        self._process.wait()
        self._said.close()


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """Give what runs the command."""
    forks = Forks(tmp_path_factory.mktemp("forks"))
    yield forks
    forks.close()
