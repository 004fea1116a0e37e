"""
Run a command of sitemapx as a step of a GitHub workflow.

Inputs are environment variables (INPUT_COMMAND and others, see action.yml); no shell reads them.
Findings become annotations, results become outputs and the summary of the job.
"""

import json
import os
import shlex
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec

from sitemapx.check.findings import Finding
from sitemapx.cli.reports.registry import REPORTS, infer_format
from sitemapx.cli.reports.services import GithubReport
from sitemapx.cli.reports.writer import ReportOutput
from sitemapx.errors import UsageError

#: Options by which the caller decides what goes to standard output.
_OWN_OUTPUT = ("-o", "--output", "--format", "--output-format", "--statistics")
#: Commands of `submit` that submit nothing, or have results of another kind.
_OTHERS = ("forget", "history", "journal", "key", "retry", "status", "withdraw")
#: Maximum number of errors in the summary of the job.
_MOST_ERRORS = 20
_COLUMNS = ("engine", "kind", "host", "state", "sent", "accepted", "reason")


def main(inputs: Mapping[str, str]) -> int:
    """Run the command, write its results for the workflow, and return its exit status."""
    step = _Step(inputs, "sitemapx")
    try:
        command, args = (shlex.split(inputs[f"INPUT_{name}"]) for name in ("COMMAND", "ARGS"))
        step = _kind_of_step(command, args)(inputs, f"sitemapx {shlex.join(command)}")
        status = step.run(command, args)
    except (ValueError, UsageError) as error:  # ValueError: a quote that is never closed
        name = "report-file" if isinstance(error, UsageError) else "args"
        print(step.annotation(_failure(f"invalid {name}: {error}")), end="")
        status = 2
    with open(inputs["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        for name, value in {"exit-code": status, **step.outputs()}.items():
            end = f"end-{uuid4().hex}"  # so that no value can pretend to be another output
            file.write(f"{name}<<{end}\n{value}\n{end}\n")
    if inputs.get("INPUT_SUMMARY") == "true":
        with open(inputs["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as file:
            file.write(step.summary())
    return status


def _kind_of_step(command: Sequence[str], args: Sequence[str]) -> "type[_Step]":
    if _submits(command, args):
        return _Submission
    if [*command] == ["robots", "check"] and not _gives(args, "--report"):
        return _RobotsCheck
    return _Check if [*command] == ["check"] else _Step


def _submits(command: Sequence[str], args: Sequence[str]) -> bool:
    """Return whether a command submits, and prints its outcomes as the workflow needs them."""
    if _gives(args, "--report"):
        return False
    return [*command] in (["publish"], ["submit", "retry"]) or (
        [*command] == ["submit"] and not (args and args[0] in _OTHERS)
    )


class _Step:
    """A command whose output is printed, with errors as annotations."""

    #: Severities of the problems in the summary.
    _severities: tuple[str, ...] = ("error",)

    def __init__(self, inputs: Mapping[str, str], title: str) -> None:
        self._inputs, self._title = inputs, title
        self._lines: list[str] = []
        self._problems: deque[str] = deque(maxlen=_MOST_ERRORS)

    def run(self, command: Sequence[str], args: Sequence[str]) -> int:
        """Run a command, and print what it prints; return its exit status."""
        sys.stdout.flush()
        program = [sys.executable, "-m", "sitemapx", *command, *self._added(args), *args]
        with subprocess.Popen(  # noqa: S603 - the command is what the step is for
            program,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        ) as process:
            assert process.stdout
            for line in process.stdout:
                self._lines.append(line)
                print(self._printed(line), end="", flush=True)
        return process.returncode

    def _added(self, args: Sequence[str]) -> list[str]:
        """Return options that the workflow needs."""
        return []

    def _printed(self, line: str) -> str:
        """Return an error that ends the command as an annotation, and other lines unchanged."""
        before, sign, message = line.rstrip("\n").partition("sitemapx: error: ")
        return self.annotation(_failure(message)) if sign and not before else line

    def annotation(self, problem: Finding) -> str:
        """Return a problem as an annotation, and add it to the summary if it is severe."""
        if problem.severity in self._severities:
            where = problem.where or "sitemapx"
            self._problems.append(f"{where}: {problem.message}{problem.about}")
        annotation: list[str] = []
        GithubReport(ReportOutput(annotation.append, lambda _: False)).add_finding(problem)
        return "".join(annotation)

    def _in_workspace(self, path: str) -> str:
        """Return a path in the working directory as one in the workspace."""
        return os.path.normpath(os.path.join(self._inputs["INPUT_WORKING_DIRECTORY"], path))

    def outputs(self) -> dict[str, object]:
        """Return the outputs of the step, by their names."""
        return {}

    def summary(self) -> str:
        """Return what the summary of the job says, in Markdown."""
        if not self._problems:
            return ""
        items = (f"- {_escaped(problem)}\n" for problem in self._problems)
        return "".join([f"### {self._title}\n\nProblems:\n\n", *items])


class _JsonStep(_Step):
    """A command that prints its problems as JSON Lines, which become annotations."""

    def _added(self, args: Sequence[str]) -> list[str]:
        return ["--report", "json"]

    def _printed(self, line: str) -> str:
        try:
            problem = msgspec.json.decode(line, type=Finding)
        except msgspec.MsgspecError:
            return super()._printed(line)
        return f"{problem}\n" if problem.severity == "note" else self.annotation(problem)


class _RobotsCheck(_JsonStep):
    """`robots check`, which also fails because of warnings."""

    _severities = ("error", "warning")


class _Submission(_JsonStep):
    """A submission, whose outcomes are JSON Lines, too."""

    def outputs(self) -> dict[str, object]:
        """Count what search engines accepted."""
        return {"submitted": sum(row.get("accepted", 0) for row in self._rows())}

    def summary(self) -> str:
        """Return the outcomes as a table, and the last errors."""
        title = f"### {self._title}\n\n"
        lines = ["Nothing was submitted.\n"]
        if rows := self._rows():
            lines = [_row(_COLUMNS), _row("---" for _ in _COLUMNS)]
            lines += [_row(_escaped(str(row.get(name, ""))) for name in _COLUMNS) for row in rows]
        return "".join([title, *lines, super().summary().replace(title, "\n")])

    def _rows(self) -> list[dict[str, Any]]:
        """Return the outcomes of batches among the lines that were printed."""
        found = []
        for line in self._lines:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict) and "engine" in row:
                found.append(row)
        return found


class _Check(_Step):
    """`check`, whose findings become annotations."""

    def _added(self, args: Sequence[str]) -> list[str]:
        reports = {"statistics": self._file("counts.txt"), "markdown": self._file("summary.md")}
        added = [f"--format={name}={path}" for name, path in reports.items()]
        if not any(_gives(args, name) for name in _OWN_OUTPUT):
            added.append("--format=github")
        if report := self._inputs.get("INPUT_REPORT_FILE"):
            added.append(f"--format={_format_of(report)}={report}")
        if severity := self._inputs.get("INPUT_FAIL_ON"):
            added.append(f"--fail-on={severity}")
        for path in reports.values():
            path.unlink(missing_ok=True)
        return added

    def outputs(self) -> dict[str, object]:
        """Count the findings by their severities."""
        path = self._file("counts.txt")
        if not path.exists():  # the check could not run
            return {}
        text = path.read_text(encoding="utf-8")
        counts = {"errors": 0, "warnings": 0}
        for line in text.splitlines():
            count, severity, *_ = line.split()
            if f"{severity}s" in counts:
                counts[f"{severity}s"] += int(count.replace(",", ""))
        report = self._inputs.get("INPUT_REPORT_FILE", "")
        return {**counts, "report-file": self._in_workspace(report) if report else ""}

    def summary(self) -> str:
        """Return the report in Markdown, and the last errors."""
        path = self._file("summary.md")
        report = path.read_text(encoding="utf-8") if path.exists() else ""
        return report + super().summary()

    def _file(self, name: str) -> Path:
        return Path(self._inputs["RUNNER_TEMP"], f"sitemapx-{name}")


def _format_of(path: str) -> str:
    """Return the format of a report by the name of its file, as `check -o` infers it."""
    if found := infer_format(path):
        return found
    endings = ", ".join(report.endings[0] for report in REPORTS.values() if report.endings)
    raise UsageError(f"cannot infer the report format from {path!r}; use one of {endings}")


def _failure(message: str) -> Finding:
    return Finding(code="failed", severity="error", message=message)


def _gives(command: Sequence[str], option: str) -> bool:
    return any(word == option or word.startswith(f"{option}=") for word in command)


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |\n"


def _escaped(text: str) -> str:
    """Escape a text for a cell of a table in Markdown."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    sys.exit(main(os.environ))
