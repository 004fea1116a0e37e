"""Error handling: one line per error, and the exit status."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.streams import STDOUT
from sitemapx.errors import InputError, OutputClosedError, SitemapxError, UsageError
from sitemapx.plugins import find_culprit

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from typing import NoReturn


#: Message about a run that a signal ended.
_ENDS = {"SIGTERM": "terminated", "SIGHUP": "hung up"}


class _Termination(SystemExit):
    """Ends a run because of a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


def run_guarded(run: Callable[[], int], *, debug: bool) -> int:
    """Run a command, and return its exit status; print errors, for `debug` with a traceback."""
    for name in _ENDS:  # nohup ignores SIGHUP, and Windows lacks it
        if (number := getattr(signal, name, None)) and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _terminate)
    try:
        status = run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("sitemapx: interrupted", file=sys.stderr)
        return 130
    except _Termination as end:
        with suppress(OSError):  # the terminal may be gone
            print(f"sitemapx: {_ENDS[signal.Signals(end.number).name]}", file=sys.stderr)
        return 128 + end.number
    except (OutputClosedError, BrokenPipeError):
        _discard_stdout()
        return 128 + getattr(signal, "SIGPIPE", 13)  # Windows lacks it
    except Exception as error:  # noqa: BLE001
        if debug:
            import traceback

            traceback.print_exc()
        return explain_error(error)
    return status


def explain_error(error: Exception, source: str | None = None) -> int:
    """
    Print an error in one line, and return the exit status.

    `source` is the name of the file in the message, unless an `InputError` names its source.
    """
    line = None
    if isinstance(error, InputError):
        message, source, line = error.message, error.source or source, error.line
    elif isinstance(error, SitemapxError):
        message = str(error)
    elif isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        message = (
            f"{'cannot write to ' * _is_stdout_failure(error)}{where}{error.strerror or error}"
        )
    elif isinstance(error, MemoryError):
        message = "out of memory"
    elif culprit := find_culprit(error):
        advice = "please report it to its authors, with the traceback of `sitemapx --debug …`"
        message = f"{culprit} failed: {type(error).__name__}: {error} ({advice})"
    else:
        kind = type(error).__name__
        advice = f"please report it at {_tracker_url()} with the traceback of `sitemapx --debug …`"
        message = f"internal error: {kind}: {error} ({advice})"
    if _is_stdout_failure(error):
        _discard_stdout()
    Console.current.print_error(message + notes_of(error), source=source, line=line)
    if isinstance(error, UsageError) or _is_missing_file(error):
        return 2
    return Console.current.error_status


def notes_of(error: Exception) -> str:
    """Return the notes of an error in parentheses, for the end of its message."""
    return "".join(f" ({note})" for note in getattr(error, "__notes__", ()))


def _is_missing_file(error: BaseException | None) -> bool:
    """Return whether an error means that a source does not exist, which counts as a usage error."""
    while isinstance(error, InputError):
        error = error.__cause__
    return isinstance(error, FileNotFoundError)


def _is_stdout_failure(error: BaseException) -> bool:
    return any(getattr(e, "filename", None) == STDOUT for e in (error, error.__cause__))


def _tracker_url() -> str:
    from importlib.metadata import metadata

    labelled_urls: list[str] = metadata("sitemapx").get_all("Project-URL", [])
    return next(url.split(", ")[1] for url in labelled_urls if url.startswith("Issues"))


def _terminate(number: int, frame: FrameType | None) -> "NoReturn":
    """Signal handler that exits with the usual status, running `finally` blocks like Ctrl-C."""
    raise _Termination(number)


def _discard_stdout() -> None:
    """Redirect stdout to the null device, since flushing at exit would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
