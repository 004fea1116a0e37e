"""
Golden cases: command lines and their exact results.

A case is a directory `cases/TOPIC/NAME`. The command in `cmd` runs in a copy of its directory `in`,
next to `samples`; `out`, `err` and `status` are the result, and `after` holds new and changed
files. `pytest --update-cases` writes everything but `cmd` and `in`. A single plain command runs in
a fork, everything else in bash.
"""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.effort import slow
from tests.forkserver import ForkServer

SLOW = {"sets/many-indexes", "sets/max-loss-of-one-in-many"}
#: On Windows, click does not look for bash.
POSIX = {"cli/completion-bash"}


def cases(directory: Path) -> list[Any]:
    """Return the cases in a directory as test parameters."""
    found = sorted(path.parent for path in directory.rglob("cmd"))
    assert found, "no cases found"
    return [
        pytest.param(path, id=name, marks=_marks(name))
        for path in found
        for name in [f"{path.parent.name}/{path.name}"]
    ]


def _marks(name: str) -> list[pytest.MarkDecorator]:
    return [slow] * (name in SLOW) + [pytest.mark.posix] * (name in POSIX)


_is_plain = re.compile(r"sitemapx [\w ./=,:@%+-]+\n?").fullmatch


def _contents(folder: Path) -> dict[str, bytes]:
    """Read all files below a directory."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _run_command(
    case: Path, work: Path, environment: dict[str, str], fork_server: ForkServer
) -> subprocess.CompletedProcess[bytes]:
    """Run the command of a case in the directory `work`: in a fork if plain, else in bash."""
    if _is_plain(command := (case / "cmd").read_text()):
        return fork_server.run(shlex.split(command)[1:], work, environment)
    return subprocess.run(
        ["bash", str(case / "cmd")],
        cwd=work,
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
    )


def _run(
    case: Path, folder: Path, environment: dict[str, str], fork_server: ForkServer
) -> dict[str, bytes]:
    """Run a case, and return the results by the names of the expected files."""
    work = folder / "work"
    shutil.copytree(case / "in", work) if (case / "in").is_dir() else work.mkdir()
    (folder / "samples").symlink_to(ROOT / "samples")
    before = _contents(work)
    done = _run_command(case, work, environment, fork_server)
    changed = {n: data for n, data in _contents(work).items() if before.get(n) != data}
    removed = {f"after/{name}.removed": b"" for name in before if not (work / name).exists()}
    found = {"out": done.stdout, "err": done.stderr, "status": f"{done.returncode}\n".encode()}
    found |= {f"after/{name}": data for name, data in changed.items()} | removed
    return {
        name: data for name, data in found.items() if data and (name, data) != ("status", b"0\n")
    }


@pytest.mark.parametrize("case", cases(ROOT / "tests" / "cases"))
def test_case(
    case: Path,
    tmp_path: Path,
    environment: dict[str, str],
    fork_server: ForkServer,
    pytestconfig: pytest.Config,
) -> None:
    check_case(case, tmp_path, environment, fork_server, pytestconfig)


def check_case(
    case: Path,
    directory: Path,
    environment: dict[str, str],
    fork_server: ForkServer,
    config: pytest.Config,
) -> None:
    """Assert that a command has exactly the expected results."""
    found = _run(case, directory, environment, fork_server)
    if config.getoption("--update-cases"):
        for name in ("out", "err", "status"):
            (case / name).unlink(missing_ok=True)
        shutil.rmtree(case / "after", ignore_errors=True)
        for name, data in found.items():
            (case / name).parent.mkdir(parents=True, exist_ok=True)
            (case / name).write_bytes(data)
    inputs = {name for name in _contents(case) if name == "cmd" or name.startswith("in/")}
    expected = {name: data for name, data in _contents(case).items() if name not in inputs}

    assert expected == found
