"""Handling of errors: one line for each, and the right exit status."""

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.streams import STDOUT
from sitemapx.errors import InputError, OutputClosedError, SitemapxError, UsageError

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from typing import NoReturn


def guarded(run: Callable[[], int], *, debug: bool) -> int:
    """
    Run a command; whatever goes wrong ends here.

    Args:
        run: Returns the exit status.
        debug: Whether an error is raised, for its traceback.

    """
    for name in ("SIGTERM", "SIGHUP"):  # Windows has not the second; nohup has it ignored
        if (number := getattr(signal, name, None)) and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _terminate)
    try:
        status = run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("sitemapx: interrupted", file=sys.stderr)
        return 130
    except (OutputClosedError, BrokenPipeError):
        _forget_stdout()
        return 128 + getattr(signal, "SIGPIPE", 13)  # Windows has none
    except Exception as error:
        if debug:
            raise
        return _explain(error)
    return status


def _explain(error: Exception) -> int:
    """Print in one line what went wrong, and return the exit status."""
    source = line = None
    if isinstance(error, InputError):
        message, source, line = error.message, error.source, error.line
    elif isinstance(error, SitemapxError):
        message = str(error)
    elif isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        message = f"{'cannot write to ' * _is_of_stdout(error)}{where}{error.strerror or error}"
    elif isinstance(error, MemoryError):
        message = "out of memory"
    else:
        kind = type(error).__name__
        advice = f"please report it at {_tracker()} with the traceback of `sitemapx --debug …`"
        message = f"internal error: {kind}: {error} ({advice})"
    if _is_of_stdout(error):
        _forget_stdout()
    Console.current.failed(message, source=source, line=line)
    return 2 if isinstance(error, UsageError) else Console.current.trouble


def _is_of_stdout(error: BaseException) -> bool:
    """Return whether an error, or its cause, is that standard output cannot be written."""
    return STDOUT in (getattr(one, "filename", None) for one in (error, error.__cause__))


def _tracker() -> str:
    """Return where to report bugs."""
    from importlib.metadata import metadata

    found: list[str] = metadata("sitemapx").get_all("Project-URL", [])
    return next(url.split(", ")[1] for url in found if url.startswith("Issues"))


def _terminate(number: int, frame: FrameType | None) -> "NoReturn":
    """End as after Ctrl-C, so that nothing half-made stays behind."""
    raise SystemExit(128 + number)


def _forget_stdout() -> None:
    """Keep Python from writing the rest of the output at exit, and failing again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
