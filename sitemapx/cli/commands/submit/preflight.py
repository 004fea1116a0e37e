"""The safety checks of `sitemapx submit` before it sends anything."""

import os
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sitemapx.cli.commands.submit.connections import Connections
from sitemapx.cli.commands.submit.options import is_disabled
from sitemapx.cli.commands.submit.waiting import BuiltFiles, wait_for_deployment
from sitemapx.cli.options.fetching import build_fetcher
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.values.urls import without_user
from sitemapx.errors import InputError, UsageError
from sitemapx.settingsfile import SettingsFile
from sitemapx.submit.guard import Objection, find_objections
from sitemapx.submit.journal.currenturls import CurrentUrls
from sitemapx.submit.settings import Settings
from sitemapx.submit.urlset import PublishedSource
from sitemapx.suggestions import suggest_file

if TYPE_CHECKING:
    from sitemapx.check.checker import CheckRun


#: Seconds to wait for a robots.txt; submitting continues if it does not arrive.
_PATIENCE = 10.0
_FINDINGS = "--ignore-findings"
#: Codes that `check` may not report for the same sources: without --fix, it also checks local files
#: that were found only by their names.
_ONLY_HERE = {"listed-sitemap-unchecked"}


class Preflight:
    """
    Finds reasons not to submit: errors in the sources while they are read, then those of the site.

    Attributes:
        checking: The check that runs while sources are read; None if its findings are ignored.

    """

    def __init__(
        self,
        options: dict[str, Any],
        connections: Connections,
        sources: Sequence[str],
        opener: Opener,
    ) -> None:
        self._options = options
        self._connections = connections
        self._sources = sources
        self._opener = opener
        self._errors: Counter[str] = Counter()
        quick = {"retries": 0, "timeout": min(options["timeout"], _PATIENCE)}
        fetcher = build_fetcher(options | quick, connections.console.notice, sources)
        self._fetcher = connections.obey_pauses(fetcher)
        self.checking: CheckRun | None = None
        if not is_disabled(options, _FINDINGS):
            from sitemapx.check.checker import checking_for

            self.checking = checking_for(self._fetcher, self.report)

    def close(self) -> None:
        self._fetcher.close()
        if self.checking:
            self.checking.close()

    def report(self, problem: Problem) -> None:
        self._errors[problem.code] += problem.times * (problem.severity == "error")
        self._connections.console.print_problem(problem)

    def run_checks(self, current: CurrentUrls, published: Sequence[PublishedSource]) -> None:
        """
        Wait for the deployment, unless the sources have errors, and check the site.

        Raises:
            InputError: If there is a reason not to send, or the files are not deployed in time.

        """
        options, connections = self._options, self._connections
        found = list(self._set_objections(is_empty=not current.count))
        if not found:
            files = BuiltFiles(published, self._opener.mappings)
            wait_for_deployment(options, files, connections)
        if connections.contacts_site:
            probe = options["probe"]
            probe = connections.settings.probe if probe is None else probe
            found += find_objections(
                current.sample,
                [source.address for source in published if source.address],
                fetcher=self._fetcher,
                transport=connections.sender,
                robots=not is_disabled(options, "--ignore-robots"),
                probe=0 if is_disabled(options, "--ignore-probe") else probe,
            )
        if found:
            verb = "would be" if options["dry_run"] else "was"
            raise InputError(f"nothing {verb} sent: {'; '.join(map(str, found))}")

    def _set_objections(self, *, is_empty: bool) -> Iterator[Objection]:
        """Yield an objection if the sources have errors, with the command that lists them."""
        errors = [f"{code} {count:,}" for code, count in sorted(self._errors.items()) if count]
        if errors and not is_disabled(self._options, _FINDINGS):
            message = f"the sitemap set has errors ({', '.join(errors)})"
            if any(count for code, count in self._errors.items() if code not in _ONLY_HERE):
                command = self._connections.check_command or self._check_command()
                message += f", see `{command}`"
            yield Objection(message, "" if is_empty else _FINDINGS)

    def _check_command(self) -> str:
        opener = self._opener
        command = ["sitemapx", "check", *map(without_user, self._sources)]
        for option, value in (("--from", opener.format), ("--source-url", opener.url)):
            command += [option, value] if value else []
        for mapping in opener.mappings:
            command += ["--map", f"{mapping.url}={mapping.folder}"]
        command += ["--fetch"] * opener.fetches + ["--no-follow"] * (not opener.follows)
        command += ["--allow-private"] * self._options["allow_private"]
        settings = SettingsFile.load(self._options["config"])
        if settings and "check" in settings.values:  # these settings may hide the findings
            command += ["--config", os.devnull]
        return shlex.join(command)


def require_root(settings: Settings) -> None:
    """Raise UsageError if the settings have a `root` that is not an existing directory."""
    if settings.root and not os.path.isdir(settings.root):
        message = f"no such directory {settings.root}{suggest_file(settings.root)}"
        file = SettingsFile.load(settings.path)
        raise file.error("root", message) if file else UsageError(message)
