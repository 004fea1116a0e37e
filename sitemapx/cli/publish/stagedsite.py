"""A site whose sitemaps are built in a staging directory, as `[convert]` specifies."""

import os
import shlex
from collections.abc import Iterator
from typing import Any

from sitemapx.cli.commands import convert
from sitemapx.cli.commands.submit.connections import DryRun
from sitemapx.cli.options.targets import build_target, leftover_lines, summary_values
from sitemapx.cli.publish.site import Site
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.outputs.stage import Stage
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.steps.step import Step, save
from sitemapx.convert.summary import Summary
from sitemapx.convert.values import uris
from sitemapx.convert.values.words import shorten_list
from sitemapx.errors import UsageError
from sitemapx.optionnames import adapt_advice
from sitemapx.settingsfile import SettingsFile
from sitemapx.submit.urlset import address_of


def _with_previous(target: Target) -> Target:
    """Compare with the published index if the last build is not on disk, as in CI."""
    is_known = target.previous is not None or os.path.exists(target.path)
    if is_known or not target.base_url or target.format.magic or target.format.is_paged:
        return target
    index = uris.escape_name(os.path.basename(target.path))
    return target._replace(previous=f"{target.base_url}{index}")


class StagedSite(Site):
    """A site whose sitemaps are built in a staging directory."""

    def __init__(
        self, file: SettingsFile, options: dict[str, Any], *, allows_removals: bool
    ) -> None:
        """
        Read the settings, and create the staging directory.

        Raises:
            OutputError: If the staging directory cannot be created.
            UsageError: If the settings are invalid or incomplete.

        """
        super().__init__(file, options, allows_removals=allows_removals)
        self._convert = self._options_of(convert.command)
        Console.current.rewrite = self._advice["convert"]
        self._target = _with_previous(build_target(self._convert))
        self._home = os.path.dirname(self._target.path) or os.curdir
        self._sitemaps = self._settings.sitemaps or (self._target.path,)
        self._summary = Summary()
        self._steps: list[Step] = []
        self._stage = Stage(self._target)
        try:
            self._folder_url = self._address_of_target().rpartition("/")[0] + "/"
            self._require_output_listed()
        except BaseException:
            self.close()
            raise
        self._console = self._new_console("convert")

    def close(self) -> None:
        self._stage.close()

    def _address_of_target(self) -> str:
        path, base = self._target.path, self._target.base_url
        mappings = [UrlMap(base, self._home)] if base else self._maps
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

    def _require_output_listed(self) -> None:
        path = self._target.path
        if all(self._stage.staged_path(source) == source for source in self._sitemaps):
            message = f"sitemaps lacks {path}, the output of [convert]; add it"
            raise self._file.error("sitemaps", message)

    def _address_of(self, path: str) -> str | None:
        maps = [UrlMap(self._folder_url, self._home), *self._maps]
        return address_of(path, Opener(mappings=maps))

    def _staged_path(self, path: str) -> str:
        return self._stage.staged_path(path)

    def _replace_staged_paths(self, text: str) -> str:
        return self._stage.replace_staged_paths(text)

    def _mapping_options(
        self, options: dict[str, Any], *, is_staged: bool = True
    ) -> dict[str, Any]:
        """
        Return `options` with the URL of the output mapped to the staging directory, before others.

        If not `is_staged`, the URL is mapped to the published directory instead.
        """
        folder = self._stage.folder if is_staged else self._home
        options = super()._mapping_options(options, is_staged=is_staged)
        return options | {"maps": [(self._folder_url, folder), *options["maps"]]}

    def build(self) -> str:
        """Build the sitemaps in the staging directory; return why not to publish them, or ""."""
        target = self._stage.target
        sources = self._convert["sources"]
        with adapt_advice(self._advice["convert"]):
            self._summary = convert.build(
                sources, self._convert, target, self._console, self._steps
            )
        if self._summary.failure:
            return self._summary.failure
        if self._summary.has_errors:
            return "some sources could not be read"
        return super().build()

    def rehearse(self, dry_run: DryRun) -> bool:
        """Submit the staged sitemaps in a dry run; see `Site.rehearse`."""
        command = ["sitemapx", "publish", "--dry-run", "--report", "json"]
        command += ["--config", self._config] if self._config else []
        dry_run.check_command = shlex.join(command)  # no other command reads the stage
        return super().rehearse(dry_run)

    def planned_lines(self) -> Iterator[str]:
        """Yield the files that publishing would write and remove."""
        for state, verb in (("new", "would write"), ("removed", "would remove")):
            paths = [file.path for file in self._summary.files if file.state == state]
            if paths:
                home = "" if self._home == os.curdir else self._home
                names = [os.path.join(home, os.path.basename(path)) for path in paths]
                yield f"{verb} {shorten_list(names)}"

    def put_in_place(self) -> None:
        """Publish the built files, and print the changes."""
        self._summary.files = self._stage.publish(self._summary.files)
        save(self._steps, is_complete=not self._summary.has_errors)
        left = leftover_lines(self._summary, self._target, self._target.path)
        lines = convert.summary_lines(self._summary, left, self._convert)
        self._console.print_summary(lines, summary_values(self._summary))

    def _removed_urls(self) -> Iterator[str]:
        gone = (file.path for file in self._summary.files if file.state == "removed")
        return (self._folder_url + os.path.basename(path) for path in gone)
