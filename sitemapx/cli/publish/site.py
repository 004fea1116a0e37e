"""The site whose sitemaps are published; each step runs a command with the site's settings."""

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import click
from msgspec.structs import replace

from sitemapx.check.findings import Finding
from sitemapx.cli.commands import convert
from sitemapx.cli.commands.check import command as check
from sitemapx.cli.commands.submit import command as submit
from sitemapx.cli.commands.submit.connections import DryRun
from sitemapx.cli.commands.submit.preflight import require_root
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.formats.registry import detect
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.opening import open_source
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.streams.gzip import unpack
from sitemapx.convert.values import urls
from sitemapx.errors import OutputError, UsageError
from sitemapx.optionnames import adapt_advice
from sitemapx.settingsfile import FILE_NAME, SettingsFile
from sitemapx.submit.robots import edit
from sitemapx.submit.robots.file import RobotsFile
from sitemapx.submit.settings import ENGINE_KEYS, KEYS, settings_of
from sitemapx.submit.urlset import ROBOTS_FORMATS, address_of


class Site:
    """
    A site described by sitemapx.toml, whose sitemaps were built by another program.

    Methods for built files do nothing here; `StagedSite` overrides them.

    Args:
        options: Options of the console, used by all steps, and `config`, which is removed.
        allows_removals: Whether to submit removals even of a large part of the URLs.

    Raises:
        UsageError: If the settings are invalid.

    Attributes:
        robots: Path of the robots.txt; None if the settings name none.

    """

    def __init__(
        self, file: SettingsFile, options: dict[str, Any], *, allows_removals: bool
    ) -> None:
        self._config = options.pop("config")
        self._common = options
        self._file = file
        self._settings = settings_of(file)
        require_root(self._settings)
        self.robots = self._settings.robots
        self._sitemaps = self._settings.sitemaps
        steps = (convert.command, check.command, submit.command)
        publish = click.get_current_context().command
        self._advice = {str(step.name): SettingsAdvice(step, publish) for step in steps}
        self._check = self._context_of(check.command).params | options
        self._submit = self._context_of(submit.command).params | options
        self._submit["allow_removals"] |= allows_removals
        if self._check["write_baseline"]:
            raise UsageError(
                "write-baseline in [check] hides all findings; "
                "remove it, or replace it with baseline"
            )
        if self._check["fix"]:
            raise UsageError(
                "fix in [check] changes files before all steps are rehearsed; remove it, and run "
                "`sitemapx check --fix` before publish"
            )

    def close(self) -> None:
        """Remove files that were built but not published."""

    def _context_of(self, command: click.Command) -> click.Context:
        """Return the context of a command whose options are all from the settings."""
        args = ["--config", self._config] if self._config else []
        return command.make_context(command.name, args)

    def _new_console(self, step: str, *, quiet: bool = False) -> Console:
        """Create the console for a step, which counts only the problems of this step."""
        console = Console.from_options(self._common | ({"quiet": True} if quiet else {}))
        advise = self._advice[step]
        console.rewrite = lambda line: advise(self._replace_staged_paths(line))
        return console

    @property
    def _maps(self) -> list[UrlMap]:
        site, root = self._settings.site, self._settings.root
        return [UrlMap.create(site, root)] if site and root else []

    def _address_of(self, path: str) -> str | None:
        return address_of(path, Opener(mappings=self._maps))

    def _staged_path(self, path: str) -> str:
        """Return the path at which a file is built, before it is published."""
        return path

    def _replace_staged_paths(self, text: str) -> str:
        """Replace the staged paths in a message or path with the published paths."""
        return text

    def _mapping_options(
        self, options: dict[str, Any], *, is_staged: bool = True
    ) -> dict[str, Any]:
        """
        Return `options` with mappings from URLs of the site to directories.

        Args:
            is_staged: Whether to map to directories of files that are not published yet.

        """
        site, root = self._settings.site, self._settings.root
        known = [(site, root)] if site and root else []
        return options | {"maps": [*options["maps"], *known]}

    # ---- the steps before any change

    def build(self) -> str:
        """Build the sitemaps or check that they exist; return why to stop, or an empty string."""
        files = (sitemap for sitemap in self._sitemaps if not urls.is_absolute(sitemap))
        missing = [path for path in files if not os.path.exists(self._staged_path(path))]
        return f"{missing[0]} does not exist; build the site first" if missing else ""

    def planned_lines(self) -> Iterable[str]:
        """Return messages about the files that publishing would write or remove."""
        return ()

    def check(self, *, is_dry: bool) -> int:
        """
        Check all sitemaps together, and return the exit status of the check.

        Args:
            is_dry: Whether to write the report only to standard output.

        """
        options = self._mapping_options(self._check)
        if is_dry:
            options |= {
                "output": "-",
                "formats": [report for report in options["formats"] if not report.path],
            }
        if (root := options["root"]) and (address := self._address_of(root)):
            options["maps"].append((address, root))
        sources = [*map(self._staged_path, [*options.pop("sources"), *self._sitemaps])]
        places = {
            source if urls.is_absolute(source) else os.path.realpath(source): source
            for source in sources
        }
        with adapt_advice(self._advice["check"]):
            return check.run([*places.values()], options, self._new_console("check"), self._shown)

    def _shown(self, finding: Finding) -> Finding:
        source = finding.source
        return replace(finding, source=source and self._replace_staged_paths(source))

    def rehearse(self, dry_run: DryRun) -> bool:
        """
        Submit the sitemaps in a dry run; return whether everything would be sent.

        Requests that pauses of servers would delay do not count as failures.

        Raises:
            InputError: If a safety check fails.
            UsageError: If the settings of search engines are invalid.

        """
        dry = {"dry_run": True, "robots": "", "no_wait": True}
        options = self._mapping_options(self._submit) | dry
        sources = list(map(self._staged_path, self._sitemaps))
        # The real run prints these messages again.
        console = self._new_console("submit", quiet=dry_run.contacts_site)
        with adapt_advice(self._advice["submit"]):
            return not submit.run(sources, options, console, dry_run)

    # ---- the steps that change something

    def put_in_place(self) -> None:
        """Publish the built files, and print the changes."""

    def edit_robots(self, *, write: bool) -> edit.Edited:
        """
        Add the published sitemaps to robots.txt, and remove the sitemaps that this run removes.

        Args:
            write: Whether to write the file, or only return the edit.

        Raises:
            OutputError: If the file cannot be written.

        """
        listed = (path for path in self._sitemaps if self._format_of(path) in ROBOTS_FORMATS)
        addresses = map(self._address_of, listed)

        def change(robots: RobotsFile) -> None:
            for url in self._removed_urls():
                robots.remove(url)
            for url in filter(None, addresses):
                robots.add(url)

        path = str(self.robots)
        edited = edit.edit_robots_file(path, change, write=write)
        folder = os.path.dirname(os.path.realpath(path))
        if edited.has_changed and not (write or os.access(folder, os.W_OK)):
            raise OutputError(f"cannot write {path}: Permission denied")
        return edited

    def unlisted_lines(self) -> Iterator[str]:
        """Yield advice about sitemaps in formats that `publish` does not list in robots.txt."""
        for path in self._sitemaps:
            if (name := self._format_of(path)) not in ROBOTS_FORMATS:
                yield (
                    f"{path} is not listed in {self.robots}: not all crawlers read {name} files as "
                    f"sitemaps; list the output of `sitemapx convert {path} --to sitemap`"
                )

    def _format_of(self, path: str) -> str:
        """Return the format name of a sitemap; URLs and directories count as XML sitemaps."""
        staged = self._staged_path(path)
        file = staged if os.path.exists(staged) else path
        if urls.is_absolute(path) or os.path.isdir(file):
            return ROBOTS_FORMATS[0]
        with open_source(file) as opened:
            return detect(unpack(opened, Reporter())[0]).name

    def _removed_urls(self) -> Iterator[str]:
        yield from ()

    def submit(self) -> int:
        """Submit what changed; return the exit status, which exit-zero in [submit] changes to 0."""
        options = self._mapping_options(self._submit, is_staged=False) | {"robots": ""}
        with adapt_advice(self._advice["submit"]):
            status = submit.run((), options, self._new_console("submit"))
        return 0 if options["exit_zero"] else status


# ---- advice of the steps, which names settings instead of options

#: Matches an option; after `pass`, also its value.
_option = re.compile(
    r"(\bpass )?(?<![\w-])--([a-z][a-z-]*)((?(1) (?!(?:and|for|if|in|or|to)\b)[\w.:/=<>%-]+)?)"
)


class SettingsAdvice:
    """
    Replaces the options of a step in messages with settings, as in `set gzip = true in [convert]`.

    The options of the command `publish` itself are kept.
    """

    def __init__(self, step: click.Command, publish: click.Command) -> None:
        self._table = f"[{step.name}]"
        self._params = {opt: param for param in step.params for opt in param.opts}
        self._own = {opt for param in publish.params for opt in param.opts}

    def __call__(self, text: str) -> str:
        """Replace options in a message, except in commands (between backticks)."""
        parts = text.split("`")
        parts[::2] = (_option.sub(self._setting, part) for part in parts[::2])
        return "`".join(parts)

    def _setting(self, m: re.Match[str]) -> str:
        verb, key, value = m.groups()
        param = self._params.get(f"--{key}")
        if param is None or f"--{key}" in self._own:
            return m[0]
        places = dict.fromkeys(KEYS, FILE_NAME) | dict.fromkeys(ENGINE_KEYS, "[engines.NAME]")
        place = places.get(key, self._table)
        if not verb:
            return f"{key} in {place}{value}"
        if isinstance(param, click.Option) and param.is_flag:
            return f"set {key} = true in {place}{value}"
        return f'set {key} = "{value.strip()}" in {place}' if value else f"set {key} in {place}"
