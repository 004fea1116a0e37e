"""A site whose sitemaps are built in staging directories, as `[convert]` specifies."""

import os
import shlex
from collections.abc import Iterator
from itertools import chain
from typing import Any

from sitemapx.cli.commands import convert
from sitemapx.cli.commands.submit.connections import DryRun
from sitemapx.cli.options.jobs import jobs_of
from sitemapx.cli.options.targets import build_target
from sitemapx.cli.publish.site import Site
from sitemapx.cli.publish.stagedoutput import StagedOutput
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.values import uris
from sitemapx.errors import SitemapxError, UsageError
from sitemapx.optionnames import adapt_advice
from sitemapx.settingsfile import SettingsFile
from sitemapx.submit.urlset import address_of


def _with_previous(target: Target) -> Target:
    """Return a target with the published index as `previous`, unless a build is on disk."""
    is_known = target.previous is not None or os.path.exists(target.path)
    if is_known or not target.base_url or target.format.magic or target.format.is_paged:
        return target
    index = uris.escape_name(os.path.basename(target.path))
    return target._replace(previous=f"{target.base_url}{index}")


class StagedSite(Site):
    """
    A site whose sitemaps are built in staging directories, one for each `[[convert]]`.

    Raises:
        OutputError: If a staging directory cannot be created.
        UsageError: If the settings are invalid or incomplete.

    """

    def __init__(
        self, file: SettingsFile, options: dict[str, Any], *, allows_removals: bool
    ) -> None:
        super().__init__(file, options, allows_removals=allows_removals)
        jobs = [job.params | self._common for job in jobs_of(self._context_of(convert.command))]
        Console.current.rewrite = self._advice["convert"]
        targets = [_with_previous(build_target(job)) for job in jobs]
        self._sitemaps = self._settings.sitemaps or tuple(target.path for target in targets)
        self._outputs: list[StagedOutput] = []
        try:
            for job, target in zip(jobs, targets, strict=True):
                folder_url = self._address_of_target(target).rpartition("/")[0] + "/"
                output = StagedOutput(job, target, folder_url)
                self._outputs.append(output)
                self._require_output_listed(output)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        for output in self._outputs:
            output.stage.close()

    def _address_of_target(self, target: Target) -> str:
        path, base = target.path, target.base_url
        mappings = [UrlMap(base, os.path.dirname(path) or os.curdir)] if base else self._maps
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

    def _require_output_listed(self, output: StagedOutput) -> None:
        if all(output.stage.staged_path(source) == source for source in self._sitemaps):
            message = f"sitemaps lacks {output.target.path}, the output of [convert]; add it"
            raise self._file.error("sitemaps", message)

    def _address_of(self, path: str) -> str | None:
        maps = [UrlMap(output.folder_url, output.folder) for output in self._outputs]
        return address_of(path, Opener(mappings=[*maps, *self._maps]))

    def _staged_path(self, path: str) -> str:
        for output in self._outputs:
            path = output.stage.staged_path(path)
        return path

    def _replace_staged_paths(self, text: str) -> str:
        for output in self._outputs:
            text = output.stage.replace_staged_paths(text)
        return text

    def _mapping_options(
        self, options: dict[str, Any], *, is_staged: bool = True
    ) -> dict[str, Any]:
        """Put the mappings of the outputs first, so that they override those of the site."""
        options = super()._mapping_options(options, is_staged=is_staged)
        maps = [
            (output.folder_url, output.stage.folder if is_staged else output.folder)
            for output in self._outputs
        ]
        return options | {"maps": [*maps, *options["maps"]]}

    def build(self) -> str:
        for output in self._outputs:
            sources = list(map(self._staged_path, output.sources))
            with adapt_advice(self._advice["convert"]):
                try:
                    failure = output.build(sources, self._new_console("convert"))
                except SitemapxError as error:
                    if len(self._outputs) > 1:
                        error.add_note(output.job)
                    raise
            if failure:
                return f"{output.target.path}: {failure}"
        return super().build()

    def rehearse(self, dry_run: DryRun) -> bool:
        command = ["sitemapx", "publish", "--dry-run", "--report", "json"]
        command += ["--config", self._config] if self._config else []
        dry_run.check_command = shlex.join(command)  # no other command reads the stage
        return super().rehearse(dry_run)

    def planned_lines(self) -> Iterator[str]:
        return chain.from_iterable(output.planned_lines() for output in self._outputs)

    def put_in_place(self) -> None:
        for output in self._outputs:
            output.put_in_place()

    def _removed_urls(self) -> Iterator[str]:
        return chain.from_iterable(output.removed_urls() for output in self._outputs)
