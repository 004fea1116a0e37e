"""Fixtures of all tests: the installed command, the samples, and the corpus if it exists."""

import os
import signal
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.effort import register_profiles
from tests.forkserver import ForkServer
from tests.loopback import engines
from tests.servers import nobody, serve, server

__all__ = ["engines", "nobody", "serve", "server"]  # fixtures

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
SCRIPTS = Path(sysconfig.get_path("scripts"))

#: Seconds after which a command counts as hanging, even on a busy machine.
PATIENCE = 600

# Commands cache bytecode even if the environment disables that.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
register_profiles()

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def pytest_configure() -> None:
    """Restore signals that `nohup` and `&` ignore, as commands inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Start one more worker than there are processors, as many tests wait for servers."""
    return (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that updates the expected results of cases."""
    parser.addoption("--update-cases", action="store_true", help="write the expected files")
    parser.addoption("--windows", action="store_true", help="run commands as if on Windows")
    parser.addoption("--update-docs", action="store_true", help="write the generated tables")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what cannot hold on Windows, if commands run as if there."""
    if config.getoption("--windows"):
        for item in items:
            if item.get_closest_marker("posix"):
                item.add_marker(pytest.mark.skip(reason="not so on Windows"))


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use a temporary state directory, so that tests do not change the user's journal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def fork_server(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[ForkServer]:
    """Start a server that runs the command line in forks."""
    is_windows = bool(pytestconfig.getoption("--windows"))
    server = ForkServer(tmp_path_factory.mktemp("forks"), PATIENCE, windows=is_windows)
    yield server
    server.close()


@pytest.fixture(scope="session")
def environment(_own_state: None, fork_server: ForkServer) -> dict[str, str]:
    """Return an environment with the command in PATH, and a fixed date."""
    path = os.pathsep.join([str(fork_server.programs), str(SCRIPTS), os.environ.get("PATH", "")])
    kept = {"PATH": path, "SOURCE_DATE_EPOCH": "1790000000", "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    return {**os.environ, **kept}


@pytest.fixture
def sitemapx(environment: dict[str, str], fork_server: ForkServer, tmp_path: Path) -> Run:
    """Return a function that runs the command in a new directory."""

    def run(
        *args: str | Path,
        cwd: Path = tmp_path,
        env: dict[str, str] = environment,
        input: bytes = b"",
    ) -> subprocess.CompletedProcess[bytes]:
        return fork_server.run([str(one) for one in args], cwd, env, input)

    return run


@pytest.fixture(scope="session")
def samples() -> Path:
    return ROOT / "samples"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the directory of corpus and schemas next to the project; skip if it is missing."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not there")
    return SHARED
