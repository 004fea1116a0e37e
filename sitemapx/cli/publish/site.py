"""The site whose sitemaps are published: the steps, each as a command with the site's settings."""

import os
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any

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
        close: Removes the stage.

    """

    def __init__(self, options: dict[str, Any]) -> None:
        """
        Read the settings, and begin a stage.

        Args:
            options: Those of the console, for all steps.

        Raises:
            OutputError: If nothing can be written where the output is.
            UsageError: If the settings are wrong, or not enough.

        """
        self._common = options
        file = SettingsFile.load()
        table = file.values.get("convert") if file else None
        if not (isinstance(table, dict) and table.get("sources") and table.get("output")):
            raise UsageError(
                "publish requires sources and output in [convert] of sitemapx.toml; "
                "`sitemapx init` creates the file"
            )
        self._settings = load_settings(None)
        self.robots = self._settings.robots
        self._convert = self._options_of(convert.command)
        self._check = self._options_of(check.command)
        self._submit = self._options_of(submit.command)
        self._target = target_from(self._convert)
        self._home = os.path.dirname(self._target.path) or os.curdir
        self._sitemaps = self._settings.sitemaps or (self._target.path,)
        self._summary = Summary()
        with ExitStack() as stack:
            self._stage = stack.enter_context(closing(Stage(self._target)))
            self._folder_url = self._address_of_target().rpartition("/")[0] + "/"
            self._refuse_other_sitemaps()
            self.close = stack.pop_all().close
        self._console = self._new_console()

    def _options_of(self, command: click.Command) -> dict[str, Any]:
        """Return the options of a command without any on its command line."""
        return command.make_context(command.name, []).params | self._common

    def _new_console(self) -> Console:
        """Make a console for a step: problems of one step are none of the next."""
        console = Console.of(self._common)
        console.shown = self._stage.named_home
        return console

    def _address_of_target(self) -> str:
        path, base = self._target.path, self._target.base_url
        mappings = [UrlMap(base, self._home)] if base else self._site_maps
        if found := address_of(path, Opener(mappings=mappings)):
            return found
        raise UsageError(
            f"the public URL of {path} is unknown: set base-url in [convert], or site and root"
        )

    @property
    def _site_maps(self) -> list[UrlMap]:
        site, root = self._settings.site, self._settings.root
        return [UrlMap.of(site, root)] if site and root else []

    def _address_of(self, path: str) -> str | None:
        """Return where a file or a directory will be published; None if that is not known."""
        maps = [UrlMap(self._folder_url, self._home), *self._site_maps]
        return address_of(path, Opener(mappings=maps))

    def _refuse_other_sitemaps(self) -> None:
        path = self._target.path
        if all(self._stage.staged(source) == source for source in self._sitemaps):
            raise UsageError(
                f"sitemaps in sitemapx.toml must contain {path}, which [convert] writes"
            )

    def _mapped(self, options: dict[str, Any], folder: str) -> dict[str, Any]:
        """Return options by which a folder is published where the output is."""
        return options | {"maps": [(self._folder_url, folder), *options["maps"]]}

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
        return "some sources could not be read" if self._summary.has_errors else ""

    def check(self) -> int:
        """Check the stage, and return the exit status of the check."""
        options = self._mapped(self._check, self._stage.folder)
        if (root := options["root"]) and (address := self._address_of(root)):
            options["maps"].append((address, root))
        sources = options.pop("sources") or [self._target.path]
        return check.run(
            list(map(self._stage.staged, sources)), options, self._new_console(), self._shown
        )

    def _shown(self, finding: Finding) -> Finding:
        source = finding.source
        return replace(finding, source=source and self._stage.named_home(source))

    def rehearse(self, print_request: Callable[[str], object]) -> None:
        """
        Submit the stage in a dry run.

        Args:
            print_request: Is given the requests.

        Raises:
            InputError: If something speaks against sending.
            UsageError: If the settings of the engines are wrong.

        """
        options = self._mapped(self._submit, self._stage.folder) | {"dry_run": True, "robots": ""}
        sources = list(map(self._stage.staged, self._sitemaps))
        submit.run(sources, options, self._new_console(), print_request)

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
        addresses = map(self._address_of, self._sitemaps)
        gone = [file.path for file in self._summary.files if file.state == "removed"]

        def change(robots: RobotsFile) -> None:
            for path in gone:
                robots.remove(self._folder_url + os.path.basename(path))
            for url in filter(None, addresses):
                robots.add(url)

        return edit.edit(str(self.robots), change, write=write)

    def submit(self) -> int:
        """Submit what is in place now, and return the exit status."""
        options = self._mapped(self._submit, self._home) | {"robots": ""}
        sources = () if self._settings.sitemaps else self._sitemaps
        return submit.run(sources, options, self._new_console())
