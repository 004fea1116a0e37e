"""The site whose sitemaps are published: the steps, each as a command with the site's settings."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import click
from msgspec.structs import replace

from sitemapx.check.findings import Finding
from sitemapx.cli.commands import convert
from sitemapx.cli.commands.check import command as check
from sitemapx.cli.commands.submit import command as submit
from sitemapx.cli.options.targets import leftover_lines, target_from
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.outputs.stage import Stage
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.summary import Summary
from sitemapx.errors import UsageError
from sitemapx.settingsfile import SettingsFile
from sitemapx.submit.robots import edit
from sitemapx.submit.robots.file import RobotsFile
from sitemapx.submit.settings import load_settings
from sitemapx.submit.urlset.published import address_of

__all__ = ["Site"]


class Site:
    """
    A site, as sitemapx.toml describes it, while its sitemaps are published.

    Attributes:
        robots: Its robots.txt; None if the settings name none.

    """

    def __init__(self, options: dict[str, Any], console: Console) -> None:
        """
        Read the settings, and begin a stage.

        Args:
            options: Those of the console, for all steps.

        Raises:
            OutputError: If nothing can be written where the output is.
            UsageError: If the settings are wrong, or not enough.

        """
        self._common, self._console = options, console
        file = SettingsFile.load()
        table = file.values.get("convert") if file else None
        if not (isinstance(table, dict) and table.get("sources") and table.get("output")):
            raise UsageError(
                "publish needs sources and output in [convert] of sitemapx.toml; "
                "`sitemapx init` writes the file"
            )
        self._settings = load_settings(None)
        self.robots = self._settings.robots
        self._convert = self._options_of(convert.command)
        self._check = self._options_of(check.command)
        self._submit = self._options_of(submit.command)
        self._target = target_from(self._convert)
        self._summary = Summary()
        with ExitStack() as stack:
            self._stage = stack.enter_context(Stage(self._target))
            self._address = self._address_of_target()
            self._refuse_other_sitemaps()
            console.shown = self._stage.named_home
            self._end = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end.close()

    def _options_of(self, command: click.Command) -> dict[str, Any]:
        """Return the options of a command without any on its command line."""
        return command.make_context(command.name, []).params | self._common

    def _address_of_target(self) -> str:
        base, path = self._target.base_url, self._target.path
        settings = self._settings
        if not base and settings.site and settings.root:
            base = settings.site
            folder = settings.root
        else:
            folder = os.path.dirname(path) or os.curdir
        mappings = [UrlMap.of(base, folder)] if base else []
        if found := address_of(path, Opener(mappings=mappings)):
            return found
        raise UsageError(
            f"where {path} is published is not known: set base-url in [convert], or site and root"
        )

    def _refuse_other_sitemaps(self) -> None:
        path = self._target.path
        if all(self._stage.staged(source) == source for source in self._sitemaps):
            raise UsageError(
                f"sitemaps in sitemapx.toml has to name {path}, which [convert] writes"
            )

    @property
    def _stage_map(self) -> tuple[str, str]:
        """The address of the folder, and the stage that stands for it."""
        return self._address.rpartition("/")[0] + "/", self._stage.folder

    # ---- the steps that change nothing

    def build(self) -> str:
        """Build the sitemaps on the stage, and return why they are not to be published."""
        target = self._stage.target
        sources = self._convert["sources"]
        self._summary = convert.build(
            sources, self._convert, target, self._console, self._console.problem
        )
        if self._summary.failure:
            return self._summary.failure
        return "not all sources could be read" if self._summary.has_errors else ""

    def _shown(self, finding: Finding) -> Finding:
        source = finding.source
        return replace(finding, source=source and self._stage.home_of(source))

    def check(self) -> int:
        """Check the stage, and return the exit status of the check."""
        sources = self._check.pop("sources") or [self._target.path]
        self._check["maps"] = [self._stage_map, *self._check["maps"]]
        return check.run(
            list(map(self._stage.staged, sources)),
            self._check,
            self._console,
            self._shown,
        )

    def rehearse(self, print_request: Callable[[str], object]) -> None:
        """
        Submit the stage in a dry run.

        Args:
            print_request: Is given the requests.

        Raises:
            InputError: If something speaks against sending.
            UsageError: If the settings of the engines are wrong.

        """
        sources = [*map(self._stage.staged, self._sitemaps)]
        options = self._submit | {"dry_run": True, "robots": ""}
        options["maps"] = [self._stage_map, *self._submit["maps"]]
        submit.run(sources, options, self._console, print_request)

    @property
    def _sitemaps(self) -> tuple[str, ...]:
        return self._settings.sitemaps or (self._target.path,)

    # ---- the steps that change something

    def put_in_place(self) -> None:
        """Put what was built in place."""
        self._summary.files = self._stage.publish(self._summary.files)
        left = leftover_lines(self._summary, self._target, self._target.path)
        for line in convert.summary_lines(self._summary, left):
            self._console.say(line)

    def edit_robots(self, *, write: bool) -> tuple[bytes, bytes]:
        """
        List in robots.txt what is published, and no file that this run removes.

        Args:
            write: Whether to write, or only to tell.

        Returns:
            The contents before and after.

        """
        folder = self._stage_map[0]
        gone = [file.path for file in self._summary.files if file.state == "removed"]

        def change(robots: RobotsFile) -> None:
            for path in gone:
                robots.remove(folder + os.path.basename(path))
            for url in self._addresses():
                robots.add(url)

        return edit.edit(str(self.robots), change, write=write)

    def _addresses(self) -> list[str]:
        """List the addresses of all sitemaps of the site that are known."""
        settings = self._settings
        mappings = [
            UrlMap(folder_url, os.path.dirname(self._target.path) or os.curdir)
            for folder_url in [self._stage_map[0]]
        ]
        if settings.site and settings.root:
            mappings.append(UrlMap.of(settings.site, settings.root))
        opener = Opener(mappings=mappings)
        found = (address_of(source, opener) for source in self._sitemaps)
        return [address for address in found if address]

    def submit(self) -> int:
        """Submit what is in place now, and return the exit status."""
        sources = () if self._settings.sitemaps else self._sitemaps
        home = os.path.dirname(self._target.path) or os.curdir
        options = self._submit | {"robots": ""}
        options["maps"] = [(self._stage_map[0], home), *self._submit["maps"]]
        return submit.run(sources, options, self._console)
