"""The site whose sitemaps are published: the steps, each as a command with the site's settings."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import click
from msgspec.structs import replace

from sitemapx.check.findings import Finding
from sitemapx.cli.commands import convert
from sitemapx.cli.commands.check import command as check
from sitemapx.cli.commands.submit import command as submit
from sitemapx.cli.commands.submit.rehearsal import Rehearsal
from sitemapx.cli.options.targets import leftover_lines, target_from
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.outputs.stage import Stage
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.steps.step import Step, save
from sitemapx.convert.summary import Summary
from sitemapx.convert.values.words import listed
from sitemapx.errors import OutputError, UsageError
from sitemapx.settingsfile import FILE_NAME, SettingsFile
from sitemapx.submit.robots import edit
from sitemapx.submit.robots.file import RobotsFile
from sitemapx.submit.settings import settings_of
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
            options: Those of the console, for all steps, and the path of the settings.

        Raises:
            OutputError: If nothing can be written where the output is.
            UsageError: If the settings are wrong, or not enough.

        """
        self._config = options.pop("config")
        self._common = options
        self._file = _require_build(SettingsFile.load(self._config))
        self._settings = settings_of(self._file)
        self.robots = self._settings.robots
        self._convert = self._options_of(convert.command)
        self._check = self._options_of(check.command)
        self._submit = self._options_of(submit.command)
        if self._check["write_baseline"]:
            raise UsageError(
                "write-baseline in [check] hides all findings; "
                "remove it, or replace it with baseline"
            )
        self._target = target_from(self._convert)
        self._home = os.path.dirname(self._target.path) or os.curdir
        self._sitemaps = self._settings.sitemaps or (self._target.path,)
        self._summary = Summary()
        self._steps: list[Step] = []
        with ExitStack() as stack:
            self._stage = stack.enter_context(closing(Stage(self._target)))
            self._folder_url = self._address_of_target().rpartition("/")[0] + "/"
            self._refuse_other_sitemaps()
            self.close = stack.pop_all().close
        self._console = self._new_console()

    def _options_of(self, command: click.Command) -> dict[str, Any]:
        """Return the options of a command without any on its command line."""
        args = ["--config", self._config] if self._config else []
        return command.make_context(command.name, args).params | self._common

    def _new_console(self, *, quiet: bool = False) -> Console:
        """Make a console for a step: problems of one step are none of the next."""
        console = Console.of(self._common | ({"quiet": True} if quiet else {}))
        console.shown = self._stage.named_home
        return console

    def _address_of_target(self) -> str:
        path, base = self._target.path, self._target.base_url
        mappings = [UrlMap(base, self._home)] if base else self._site_maps
        if found := address_of(path, Opener(mappings=mappings)):
            return found
        root = self._settings.root
        if root and self._settings.site:
            where = f"{path} is not below root {os.path.relpath(root)!r}"
            message = f"{where}; correct root, or set base-url in [convert]"
            raise self._file.error("root", message)
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
            message = f"sitemaps must contain {path}, which [convert] writes"
            raise self._file.error("sitemaps", message)

    def _mapped(self, options: dict[str, Any], folder: str) -> dict[str, Any]:
        """Return options by which a folder is published where the output is."""
        return options | {"maps": [(self._folder_url, folder), *options["maps"]]}

    # ---- the steps that change nothing

    def build(self) -> str:
        """Build the sitemaps on the stage, and return why they are not to be published."""
        target = self._stage.target
        sources = self._convert["sources"]
        self._summary = convert.build(
            sources, self._convert, target, self._console, self._console.problem, self._steps
        )
        if self._summary.failure:
            return self._summary.failure
        return "some sources could not be read" if self._summary.has_errors else ""

    def planned_lines(self) -> Iterator[str]:
        """Yield what putting the files in place would write and remove."""
        for state, verb in (("new", "would write"), ("removed", "would remove")):
            paths = [file.path for file in self._summary.files if file.state == state]
            if paths:
                home = "" if self._home == os.curdir else self._home
                names = [os.path.join(home, os.path.basename(path)) for path in paths]
                yield f"{verb} {listed(names)}"

    def check(self, *, is_dry: bool) -> int:
        """
        Check the stage, and return the exit status of the check.

        Args:
            is_dry: Whether no file is written, so that there is only the report on standard output.

        """
        options = self._mapped(self._check, self._stage.folder)
        if is_dry:
            options |= {
                "output": "-",
                "formats": [one for one in options["formats"] if not one.path],
            }
        if (root := options["root"]) and (address := self._address_of(root)):
            options["maps"].append((address, root))
        sources = options.pop("sources") or [self._target.path]
        return check.run(
            list(map(self._stage.staged, sources)), options, self._new_console(), self._shown
        )

    def _shown(self, finding: Finding) -> Finding:
        source = finding.source
        return replace(finding, source=source and self._stage.named_home(source))

    def rehearse(self, rehearsal: Rehearsal) -> bool:
        """
        Submit the stage in a dry run, and return whether all of it would be sent.

        A server that asked for a pause does not count: what is due is sent later.

        Raises:
            InputError: If something speaks against sending.
            UsageError: If the settings of the engines are wrong.

        """
        dry = {"dry_run": True, "robots": "", "no_wait": True}
        options = self._mapped(self._submit, self._stage.folder) | dry
        sources = list(map(self._stage.staged, self._sitemaps))
        # Nobody has to read what the real run will say again.
        console = self._new_console(quiet=rehearsal.asks_site)
        return not submit.run(sources, options, console, rehearsal)

    # ---- the steps that change something

    def put_in_place(self) -> None:
        """Put what was built in place, and say what was done."""
        self._summary.files = self._stage.publish(self._summary.files)
        save(self._steps)
        left = leftover_lines(self._summary, self._target, self._target.path)
        for line in convert.summary_lines(self._summary, left):
            self._console.say(line)

    def edit_robots(self, *, write: bool) -> edit.Edited:
        """
        List in robots.txt what is published, and no file that this run removes.

        Args:
            write: Whether to write, or only to tell.

        """
        addresses = map(self._address_of, self._sitemaps)
        gone = [file.path for file in self._summary.files if file.state == "removed"]

        def change(robots: RobotsFile) -> None:
            for path in gone:
                robots.remove(self._folder_url + os.path.basename(path))
            for url in filter(None, addresses):
                robots.add(url)

        path = str(self.robots)
        edited = edit.edit(path, change, write=write)
        folder = os.path.dirname(os.path.realpath(path))
        if edited.has_changed and not (write or os.access(folder, os.W_OK)):
            raise OutputError(f"cannot write {path}: Permission denied")
        return edited

    def submit(self) -> int:
        """Submit what is in place now, and return the exit status."""
        options = self._mapped(self._submit, self._home) | {"robots": ""}
        sources = () if self._settings.sitemaps else self._sitemaps
        return submit.run(sources, options, self._new_console())


def _require_build(file: SettingsFile | None) -> SettingsFile:
    """
    Return the settings, which have to say what to build, and where to.

    Raises:
        UsageError: If they do not, with what to write.

    """
    if file is None:
        raise UsageError(f"publish requires {FILE_NAME}; `sitemapx init` creates it")
    table = file.values.get("convert")
    values = table if isinstance(table, dict) else {}
    examples = {"sources": '["public"]', "output": '"public/sitemap.xml"'}
    missing = [f"{name} = {value}" for name, value in examples.items() if not values.get(name)]
    if missing:
        raise UsageError(
            f"publish requires [convert] in {file.path}, which builds the sitemap; "
            f"add for example {', '.join(missing)}"
        )
    if values["output"] == "-":
        message = "output must be a file; publish cannot write to standard output"
        raise file.error("output", message, "convert")
    return file
