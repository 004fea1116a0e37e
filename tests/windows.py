"""
Makes a process on Linux look like one on Windows, as far as the program can notice.

Calls that Windows lacks are gone. Directories cannot be opened, files that are open cannot be
replaced or removed, and names cannot be moved over existing ones. Paths stay those of Linux.
"""

import errno
import fcntl
import importlib
import os
import signal
import stat
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import resource_tracker
from types import ModuleType
from typing import Any

__all__ = ["simulate"]

#: `F_OFD_SETLK` of Linux, which other systems lack.
_SET_LOCK = 37
#: Modules that Windows lacks.
_MODULES = ("fcntl", "grp", "pwd", "resource", "termios", "tty")
#: Names in `os` that Windows lacks.
_CALLS = (
    "O_CLOEXEC fchmod fchown fork forkpty geteuid getuid getgid killpg mkfifo pread pwrite "
    "sched_getaffinity setsid uname"
)
#: Names in `signal` that Windows lacks, but for SIGKILL, which `subprocess` uses on Linux.
_SIGNALS = (
    "ITIMER_REAL SIGALRM SIGCHLD SIGHUP SIGPIPE SIGSTOP SIG_BLOCK SIG_SETMASK "
    "SIG_UNBLOCK pthread_sigmask setitimer"
)
#: Libraries that check the system when they are imported, so they have to be imported before.
_LIBRARIES = (
    "asyncio concurrent.futures.process ctypes multiprocessing.connection "
    "multiprocessing.popen_spawn_posix multiprocessing.resource_tracker multiprocessing.spawn "
    "multiprocessing.synchronize multiprocessing.util platform selectors sqlite3 ssl subprocess "
    "tempfile urllib.request uuid webbrowser click click._compat click.shell_completion "
    "click.testing keyring lxml.etree platformdirs requests rich.console rich.live rich.markup "
    "rich.progress rich.table urllib3"
)


def simulate(libraries: Sequence[str] = ()) -> None:
    """Change this process permanently; the program must be imported afterwards."""
    for name in (*_LIBRARIES.split(), *libraries):
        with suppress(ImportError):
            importlib.import_module(name)
    _add_msvcrt()
    for name in _MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    _limit_files()
    for name in _CALLS.split():
        delattr(os, name)
    for name in _SIGNALS.split():
        delattr(signal, name)
    _let_spawn()
    sys.platform = "win32"


def _let_spawn() -> None:
    """Let multiprocessing start processes as on Linux; they are not simulated themselves."""
    resource_tracker._HAVE_SIGMASK = False  # type: ignore[attr-defined]
    linux = ModuleType("sys")
    vars(linux).update(vars(sys))
    for name, module in list(sys.modules.items()):
        if name.startswith("multiprocessing.") and hasattr(module, "sys"):
            module.sys = linux  # type: ignore[attr-defined]


def _add_msvcrt() -> None:
    """Add the module `msvcrt`, whose locks are those of bytes, and belong to a descriptor."""
    module: Any = ModuleType("msvcrt")
    module.LK_NBLCK = 2
    control, kind = fcntl.fcntl, fcntl.F_WRLCK

    def locking(descriptor: int, mode: int, size: int) -> None:
        try:
            control(descriptor, _SET_LOCK, struct.pack("hhqqi4x", kind, os.SEEK_CUR, 0, size, 0))
        except BlockingIOError as error:
            raise PermissionError(errno.EACCES, "Permission denied") from error

    module.locking = locking
    sys.modules["msvcrt"] = module


def _limit_files() -> None:
    """Refuse calls on files that Windows refuses."""
    open_file, rename = os.open, os.rename

    def open_(path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        descriptor = open_file(path, flags, mode, **options)
        is_own = sys._getframe(1).f_globals.get("__name__", "").startswith("sitemapx.")
        if is_own and stat.S_ISDIR(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return descriptor

    def rename_(old: Any, new: Any, **options: Any) -> None:
        if os.path.lexists(new):
            raise FileExistsError(errno.EEXIST, "File exists", old, None, new)
        rename(old, new, **options)

    changed = {"open": open_, "rename": _of_closed_files(rename_)}
    changed |= {n: _of_closed_files(getattr(os, n)) for n in ("replace", "remove", "unlink")}
    for name, call in changed.items():
        setattr(os, name, call)


def _of_closed_files(call: Callable[..., None]) -> Callable[..., None]:
    def checked(*paths: Any, **options: Any) -> None:
        is_relative = options.get("dir_fd") is not None  # within `shutil.rmtree`
        for path in () if is_relative else paths:
            if os.path.realpath(os.fspath(path)) in _open_files():
                message = "The process cannot access the file because it is being used"
                raise PermissionError(errno.EACCES, message, path)
        call(*paths, **options)

    return checked


def _open_files() -> set[str]:
    """Return the paths of the files that this process has open."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            found.add(os.readlink(f"/proc/self/fd/{number}"))
    return found
