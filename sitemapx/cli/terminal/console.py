"""
The console: problems, progress and the summary on stderr.

Standard output belongs to the result.
"""

import sys
import time
from collections import Counter

from sitemapx.cli.terminal.colour import has_colour, styler

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar, Self

    from rich.progress import Progress, TaskID

    from sitemapx.convert.model.problems import Problem


#: So many problems of one code are shown; the rest is counted.
_SHOWN = 10
#: Work that is done before needs no progress bar (and no import of rich).
_PATIENCE = 0.7


class Console:
    """
    Standard error, as the options of the command want it.

    Attributes:
        current: The one in use: what a failure is told to.
        trouble: The exit status of a run that fails.
        problems: How often each code was told.
        shown: Returns what is printed of a line.

    """

    current: "ClassVar[Console]"

    def __init__(self, *, as_json: bool = False, quiet: bool = False, trouble: int = 1) -> None:
        self.trouble = trouble
        self.problems: Counter[str] = Counter()
        self.shown: Callable[[str], str] = lambda line: line
        self._as_json = as_json
        self._quiet = quiet
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._noun = ""
        Console.current = self

    @classmethod
    def of(cls, options: "dict[str, Any]", *, trouble: int = 1) -> "Self":
        """Make what `console_options` of the command ask for."""
        return cls(as_json=options["report"] == "json", quiet=options["quiet"], trouble=trouble)

    def problem(self, problem: "Problem") -> None:
        """Show a problem: as a line of JSON, or of text for the first of its code."""
        self.problems[problem.code] += problem.times
        if self._as_json:
            import json

            from msgspec import to_builtins

            # msgspec refuses what names of files may hold: bytes that are no UTF-8
            fields = to_builtins(problem)
            self._print(json.dumps(fields, ensure_ascii=False, separators=(",", ":")))
            return
        if self._quiet and problem.severity != "error":
            return
        if self.problems[problem.code] <= _SHOWN:
            self._print(str(problem))
        elif self.problems[problem.code] == _SHOWN + 1:
            self._print(
                f"… more of [{problem.code}] are only counted; use --report json to show all"
            )

    def failed(self, message: str, *, source: str | None = None, line: int | None = None) -> None:
        """Print why the run ends here."""
        self.close()
        if self._as_json:
            from sitemapx.convert.model.problems import Problem

            self.problem(Problem("failed", "error", message, source or None, line))
        else:
            where = ":".join(str(part) for part in (source, line) if part)
            from sitemapx.convert.values.urls import without_password
            from sitemapx.convert.values.words import short_message

            shown = self.shown(message)  # which must know names before they are cut
            message = short_message(without_password(shown))
            style = styler(has_colour=has_colour(sys.stderr))
            error = style("error:", fg="red", bold=True)
            self._print(f"sitemapx: {error} {where}{': ' if where else ''}{message}")

    def say(self, line: str) -> None:
        """Print a line of the summary."""
        if not self._quiet and not self._as_json:
            self._print(line)

    def summary(self, lines: "Iterable[str]", values: "dict[str, object]") -> None:
        """Print the summary: lines of text, or a JSON object, `{"summary": values}`."""
        if self._as_json and not self._quiet:
            from json import dumps

            self._print(dumps({"summary": values}, ensure_ascii=False, separators=(",", ":")))
        for line in lines:
            self.say(line)

    def notice(self, line: str) -> None:
        """Print a line that a program has to know as well, which gets it as a JSON object."""
        if self._as_json and not self._quiet:
            from sitemapx.convert.model.problems import Problem

            self.problem(Problem("notice", "note", line))
        else:
            self.say(line)

    def progress(self, entries: int, size: int, total: int | None) -> None:
        """Show how far the work is, on a terminal, if it takes long."""
        self._show("entries", size if total is None else min(size, total), total, entries=entries)

    def pages(self, done: int, total: int) -> None:
        """Likewise, of how many pages something is known."""
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
        """Take the progress bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = self._task = None

    def _print(self, line: str) -> None:
        line = self.shown(line)
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line.encode("utf-8", "replace").decode(), file=sys.stderr)


def printable(text: str) -> str:
    """Keep line breaks and control characters from who reads a text."""
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


Console()
