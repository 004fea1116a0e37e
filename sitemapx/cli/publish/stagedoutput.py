"""An output of `[convert]` that is built in a staging directory."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from sitemapx.cli.commands import convert
from sitemapx.cli.options.jobs import describe_job
from sitemapx.cli.options.targets import leftover_lines, summary_values
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.outputs.stage import Stage
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.steps.step import Step, save
from sitemapx.convert.summary import Summary
from sitemapx.convert.values.words import shorten_list


class StagedOutput:
    """
    An output that is built in a staging directory, and published later.

    Args:
        target: The published output.
        folder_url: Public URL of the published directory.

    Raises:
        OutputError: If the staging directory cannot be created.
        UsageError: If the target is not a file on disk.

    """

    def __init__(self, options: dict[str, Any], target: Target, folder_url: str) -> None:
        self.sources: Sequence[str] = options["sources"]
        self.job = describe_job(options)
        self.target = target
        self.folder = os.path.dirname(target.path) or os.curdir
        self.folder_url = folder_url
        self.stage = Stage(target)
        self._options = options
        self._summary = Summary()
        self._steps: list[Step] = []

    def build(self, sources: Sequence[str], console: Console) -> str:
        """Build the output in its stage; return why not to publish it, or an empty string."""
        self._console = console
        self._summary = convert.build(
            sources, self._options, self.stage.target, console, self._steps
        )
        incomplete = "some sources could not be read" if self._summary.has_errors else ""
        return self._summary.failure or incomplete

    def planned_lines(self) -> Iterator[str]:
        for state, verb in (("new", "would write"), ("removed", "would remove")):
            if names := self._names(state):
                home = "" if self.folder == os.curdir else self.folder
                yield f"{verb} {shorten_list([os.path.join(home, name) for name in names])}"

    def put_in_place(self) -> None:
        self._summary.files = self.stage.publish(self._summary.files)
        save(self._steps, is_complete=not self._summary.has_errors)
        left = leftover_lines(self._summary, self.target, self.target.path)
        lines = convert.summary_lines(self._summary, left, self._options)
        self._console.print_summary(lines, summary_values(self._summary))

    def removed_urls(self) -> Iterator[str]:
        return (self.folder_url + name for name in self._names("removed"))

    def _names(self, state: str) -> list[str]:
        return [os.path.basename(file.path) for file in self._summary.files if file.state == state]
