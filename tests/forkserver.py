"""
Runs the command line without the start-up time of Python and imports.

A server process imports the whole program once, and forks for each run. Each run is a process with
its own arguments, directory, environment, umask and standard streams.
"""

import gc
import importlib
import marshal
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from tests.windows import simulate

__all__ = ["ForkServer"]

_SAMPLES = Path(__file__).parent.parent / "samples"
_PACKAGES = ("check", "cli", "convert", "submit")
#: Parts of names of modules that are not imported in advance, as few commands need them.
_HEAVY = (".arrow.", ".parquet.")
_LIBRARIES = (
    "encodings.utf_16_be",
    "encodings.utf_16_le",
    "encodings.utf_8_sig",
    "feedparser",
    "google.oauth2.service_account",
    "lxml.etree",
    "platformdirs",
    "protego",
    "pywhatwgurl",
    "requests",
    "sqlite3",
)
_fork_process = os.fork
_SIGCHLD = signal.SIGCHLD
#: Replaces the installed program; uses `_socket`, as `socket` doubles the start-up time.
_CLIENT = """\
#!{python} -IS
import marshal, os, sys
from _socket import AF_UNIX, SCM_RIGHTS, SOL_SOCKET, SOCK_STREAM, socket

os.umask(umask := os.umask(0))
run = marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ), umask))
connection = socket(AF_UNIX, SOCK_STREAM)
connection.connect({address!r})
size = len(run).to_bytes(8, "big")
rights = SOL_SOCKET, SCM_RIGHTS, bytes([0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0])
connection.sendmsg([size], [rights])
connection.sendall(run)
status = int(connection.recv(10))
os.kill(os.getpid(), -status) if status < 0 else os._exit(status)
"""


class ForkServer:
    """
    A server that runs the command line in forks.

    Args:
        directory: Directory for the socket and the program.
        patience: Seconds after which a command of `run` counts as hanging.
        windows: Whether the forks look like processes on Windows, see `tests.windows`.

    Attributes:
        programs: Directory for PATH with a program `sitemapx`, which the server runs.

    """

    def __init__(self, directory: Path, patience: float, *, windows: bool = False) -> None:
        self._patience = patience
        self._address = str(directory / "socket")
        self.programs = directory / "programs"
        self.programs.mkdir()
        client = self.programs / "sitemapx"
        client.write_text(_CLIENT.format(python=sys.executable, address=self._address))
        client.chmod(0o755)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self._address)
            listener.listen(64)
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(listener.fileno()), *["windows"] * windows],
                pass_fds=[listener.fileno()],
            )

    def run(
        self,
        arguments: Sequence[str],
        directory: Path,
        environment: dict[str, str],
        input: bytes = b"",
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the command line once."""
        with (
            socket.socket(socket.AF_UNIX) as connection,
            tempfile.TemporaryFile() as stdin,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            stdin.write(input)
            stdin.seek(0)
            run = marshal.dumps((list(arguments), str(directory), environment, 0o022))
            connection.settimeout(self._patience)
            connection.connect(self._address)
            size, streams = len(run).to_bytes(8, "big"), (stdin, out, err)
            socket.send_fds(connection, [size], [stream.fileno() for stream in streams])
            connection.sendall(run)
            status = int(connection.recv(10))
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(arguments, status, out.read(), err.read())

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


# ---- the server process


def _serve(listener: socket.socket) -> NoReturn:
    """Fork for each connection, and send the exit status when the fork ends."""
    _import_program()
    runs: dict[int, socket.socket] = {}  # by process ID, until the client disconnects
    woken, waking = socket.socketpair()
    for end in (woken, waking):
        end.setblocking(False)
    signal.signal(_SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking.fileno())
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    selector.register(woken, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                connection, _ = listener.accept()
                runs[process := _fork(connection)] = connection
                selector.register(connection, selectors.EVENT_READ, process)
            elif key.fileobj is woken:
                woken.recv(4096)
                for process, status in _ended(runs):
                    with runs.pop(process) as connection, suppress(OSError, KeyError):
                        selector.unregister(connection)  # unless the client disconnected before
                        connection.send(str(os.waitstatus_to_exitcode(status)).encode())
            elif key.data in runs:  # the client disconnected
                os.kill(key.data, signal.SIGKILL)
                selector.unregister(key.fileobj)


def _import_program() -> None:
    for name in _PACKAGES:
        package = importlib.import_module(f"sitemapx.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not any(part in module.name for part in _HEAVY):
                importlib.import_module(module.name)
    for name in _LIBRARIES:
        importlib.import_module(name)
    _compile_patterns()
    gc.freeze()  # keeps garbage collection in forks from copying the objects that exist now


def _compile_patterns() -> None:
    from sitemapx.check import check
    from sitemapx.convert import convert, target_of

    for name in ("sitemap.xml", "feed.xml", "feed.atom"):
        sample = str(_SAMPLES / name)
        for name_of_format in ("jsonl", "text"):
            convert([sample], target_of(os.devnull, format=name_of_format), report=lambda _: None)
        check([sample])


def _ended(runs: dict[int, socket.socket]) -> list[tuple[int, int]]:
    """Return the process ID and wait status of each run that has ended."""
    found = (os.waitpid(process, os.WNOHANG) for process in runs)
    return [one for one in found if one[0]]


def _fork(connection: socket.socket) -> int:
    """Fork, run the command in the child, and return its process ID in the parent."""
    size, streams, _, _ = socket.recv_fds(connection, 8, 3)
    run = b""
    while missing := int.from_bytes(size, "big") - len(run):
        run += connection.recv(missing)
    if process := _fork_process():
        for stream in streams:
            os.close(stream)
        return process
    signal.set_wakeup_fd(-1)
    signal.signal(_SIGCHLD, signal.SIG_DFL)
    arguments, directory, environment, umask = marshal.loads(run)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, max(streams) + 100)
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    os.umask(umask)
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    os._exit(_status(arguments))


def _status(arguments: list[str]) -> int:
    """Run the command line and flush its output; the caller skips the slow teardown of Python."""
    from sitemapx.cli import main

    try:
        status = main(arguments)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # noqa: BLE001 - Python prints any exception and exits with 1
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    if "windows" in sys.argv:
        simulate(_LIBRARIES)
    _serve(socket.socket(fileno=int(sys.argv[1])))
