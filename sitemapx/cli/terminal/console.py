"""The console: problems, progress and the summary on stderr; stdout is for results."""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from typing import IO, Any, ClassVar, Self

    from rich.progress import Progress, TaskID

    from sitemapx.convert.model.problems import Problem


#: Maximum number of problems printed per code; further problems are only counted.
_MAX_PER_CODE = 10
#: Seconds before a progress bar appears, and rich is imported.
_PATIENCE = 0.7


class Console:
    """
    Prints problems, progress and the summary of a command to stderr, as its options specify.

    Attributes:
        current: The latest console, which prints errors that end the run.
        error_status: Exit status of a run that ends with an error.
        is_failure: Returns whether to print a problem even if quiet; by default, if it is an error.
        problems: Number of problems by code.
        rewrite: Function applied to each printed line.

    """

    current: "ClassVar[Console]"

    def __init__(
        self, *, as_json: bool = False, quiet: bool = False, error_status: int = 1
    ) -> None:
        self.error_status = error_status
        self.is_failure: Callable[[Problem], bool] = lambda problem: problem.severity == "error"
        self.problems: Counter[str] = Counter()
        self.rewrite: Callable[[str], str] = lambda line: line
        self._printed: Counter[str] = Counter()
        self._as_json = as_json
        self._quiet = quiet
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._noun = ""
        Console.current = self

    @classmethod
    def from_options(cls, options: "dict[str, Any]", *, error_status: int = 1) -> "Self":
        return cls(
            as_json=options["report"] == "json", quiet=options["quiet"], error_status=error_status
        )

    def print_problem(self, problem: "Problem") -> None:
        """
        Count a problem, and print it; if quiet, only if it is a failure.

        As text, print only the first problems of each code.
        """
        self.problems[problem.code] += problem.times
        if self._quiet and not self.is_failure(problem):
            return
        if self._as_json:
            import json

            from msgspec import to_builtins

            # msgspec.json rejects surrogates, which file names that are not UTF-8 contain
            fields = to_builtins(problem)
            self._print(json.dumps(fields, ensure_ascii=False, separators=(",", ":")))
            return
        self._printed[problem.code] += 1
        if self._printed[problem.code] <= _MAX_PER_CODE:
            self._print(str(problem))
        elif self._printed[problem.code] == _MAX_PER_CODE + 1:
            self._print(
                f"… further [{problem.code}] problems are only counted; pass --report json to show "
                "all"
            )

    def print_error(
        self, message: str, *, source: str | None = None, line: int | None = None
    ) -> None:
        self.close()
        if self._as_json:
            from sitemapx.convert.model.problems import Problem

            self.print_problem(Problem("failed", "error", message, source or None, line))
        else:
            where = ":".join(str(part) for part in (source, line) if part)
            from sitemapx.convert.values.urls import without_password
            from sitemapx.convert.values.words import short_message

            # Rewrite names before they may be truncated.
            message = short_message(without_password(self.rewrite(message)))
            style = styler(has_colour=has_colour(sys.stderr))
            error = style("error:", fg="red", bold=True)
            self._print(f"sitemapx: {error} {where}{': ' if where else ''}{message}")

    def say(self, line: str) -> None:
        """Print a line, unless the console is quiet or prints JSON."""
        if not self._quiet and not self._as_json:
            self._print(line)

    def print_summary(self, lines: Iterable[str], values: "dict[str, object]") -> None:
        """Print the lines, or as JSON `{"summary": values}`, unless the console is quiet."""
        if self._as_json and not self._quiet:
            from json import dumps

            self._print(dumps({"summary": values}, ensure_ascii=False, separators=(",", ":")))
        for line in lines:
            self.say(line)

    def notice(self, line: str) -> None:
        """Print a line, or as JSON a problem with code `notice`, unless the console is quiet."""
        if self._as_json and not self._quiet:
            from sitemapx.convert.model.problems import Problem

            self.print_problem(Problem("notice", "note", line))
        else:
            self.say(line)

    def show_progress(self, entries: int, size: int, total: int | None) -> None:
        """Show the entries and bytes read, if stderr is a terminal; `total` is in bytes."""
        self._show("entries", size if total is None else min(size, total), total, entries=entries)

    def show_pages(self, done: int, total: int) -> None:
        self._show("pages", done, total)

    def _show(self, noun: str, completed: int, total: int | None, entries: int = 0) -> None:
        if self._quiet or self._as_json or not sys.stderr.isatty():
            return
        if self._task is not None and self._noun != noun:
            self.close()
        if self._bar is None:
            if time.monotonic() - self._started < _PATIENCE:
                return
            self._bar, self._noun = _bar(noun), noun
            self._task = self._bar.add_task("", total=total, entries=entries)
            self._bar.start()
        if self._task is not None:
            self._bar.update(self._task, completed=completed, entries=entries)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = self._task = None

    def _print(self, line: str) -> None:
        line = self.rewrite(line)
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line.encode("utf-8", "replace").decode(), file=sys.stderr)


def printable(text: str) -> str:
    """Return text unchanged if `str.isprintable` is true for it, else as a Python literal."""
    return text if text.isprintable() else repr(text)


def _bar(noun: str) -> "Progress":
    from rich.console import Console as Terminal
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        (TextColumn("{task.fields[entries]:,} entries"), BarColumn(), DownloadColumn())
        if noun == "entries"
        else (BarColumn(), TextColumn("{task.completed:,} of {task.total:,} pages"))
    )
    return Progress(
        SpinnerColumn(),
        *columns,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Terminal(stderr=True),
        transient=True,
    )


# ---- colour


def has_colour(stream: "IO[Any]") -> bool:
    """
    Return whether output to a stream may be coloured, as on terminals.

    NO_COLOR and FORCE_COLOR override the default, unless empty: https://no-color.org and
    https://force-color.org
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def styler(*, has_colour: bool) -> Callable[..., str]:
    """Return `click.style`, or a function that returns texts unchanged."""
    if not has_colour:
        return lambda text, **style: str(text)
    from click import style

    return style


Console()
