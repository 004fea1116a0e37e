"""The checks of `sitemapx submit` before it sends anything, as the options want it."""

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sitemapx.check.preflight import checking_for
from sitemapx.cli.commands.submit.connections import Connections
from sitemapx.cli.options.fetching import fetcher_of
from sitemapx.cli.options.safeguards import is_off
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.values.urls import without_user
from sitemapx.errors import InputError, UsageError
from sitemapx.settingsfile import SettingsFile
from sitemapx.submit.guard import Objection, objections
from sitemapx.submit.journal.listing import Listing
from sitemapx.submit.settings import Settings
from sitemapx.submit.transport.transport import Transport
from sitemapx.suggestions import suggested_file

if TYPE_CHECKING:
    from sitemapx.check.checker import Checking

__all__ = ["Preflight", "require_root"]

#: Seconds to wait for a robots.txt, without which submitting goes on.
_PATIENCE = 10.0
_FINDINGS = "--ignore-findings"
#: What `check` without --fix does not find, since it may trust the name of a file.
_ONLY_HERE = {"child-unread"}


class Preflight:
    """
    Looks whether anything speaks against sending: in the set while it is read, then at its site.

    Attributes:
        checking: What checks the set; None if its findings are ignored.

    """

    def __init__(
        self,
        options: dict[str, Any],
        connections: Connections,
        sources: Sequence[str],
        opener: Opener,
    ) -> None:
        """
        Take what is submitted.

        Args:
            opener: What opens the sources; who checks them otherwise has to say the same.

        """
        self._options = options
        self._console = console = connections.console
        self._check_command = connections.check_command
        self._sources = sources
        self._opener = opener
        self._errors: Counter[str] = Counter()
        quick = {"retries": 0, "timeout": min(options["timeout"], _PATIENCE)}
        fetcher = fetcher_of(options | quick, console.notice, sources)
        self._fetcher = connections.obey_pauses(fetcher)
        self.checking: Checking | None = None
        if not is_off(options, _FINDINGS):
            self.checking = checking_for(self._fetcher, self.report)

    def close(self) -> None:
        """Release everything held."""
        self._fetcher.close()
        if self.checking:
            self.checking.close()

    def report(self, problem: Problem) -> None:
        """Report a problem, and count the errors."""
        self._errors[problem.code] += problem.times * (problem.severity == "error")
        self._console.problem(problem)

    def check(
        self,
        listing: Listing,
        addresses: Sequence[str],
        *,
        transport: Transport,
        probe: int,
        asks_site: bool,
        wait: Callable[[], object],
    ) -> None:
        """
        Look whether something speaks against sending.

        Args:
            addresses: Those of the sitemaps.
            transport: Tries so many pages.
            asks_site: Whether to ask the site, which a dry run does not.
            wait: Called before that, unless something else speaks against sending.

        Raises:
            InputError: If something does.

        """
        found = list(self._wrong(is_empty=not listing.count))
        if not found:
            wait()
        if asks_site:
            found += objections(
                listing.sample,
                addresses,
                fetcher=self._fetcher,
                transport=transport,
                robots=not is_off(self._options, "--ignore-robots"),
                probe=0 if is_off(self._options, "--ignore-probe") else probe,
            )
        if found:
            verb = "would be" if self._options["dry_run"] else "was"
            raise InputError(f"nothing {verb} sent: {'; '.join(map(str, found))}")

    def _wrong(self, *, is_empty: bool) -> Iterator[Objection]:
        """Report errors in the set, and how to see them all; of an empty one nothing is sent."""
        errors = [f"{code} {count:,}" for code, count in sorted(self._errors.items()) if count]
        if errors and not is_off(self._options, _FINDINGS):
            message = f"the sitemap set has errors ({', '.join(errors)})"
            if any(count for code, count in self._errors.items() if code not in _ONLY_HERE):
                message += f", see `{self._check_command or self._command()}`"
            yield Objection(message, "" if is_empty else _FINDINGS)

    def _command(self) -> str:
        """Return the command that shows what is wrong with the set."""
        opener = self._opener
        words = ["sitemapx", "check", *map(without_user, self._sources)]
        for option, value in (("--from", opener.format), ("--source-url", opener.url)):
            words += [option, value] if value else []
        for mapping in opener.mappings:
            words += ["--map", f"{mapping.url}={mapping.folder}"]
        words += ["--fetch"] * opener.fetches + ["--no-follow"] * (not opener.follows)
        words += ["--allow-private"] * self._options["allow_private"]
        settings = SettingsFile.load(self._options["config"])
        if settings and "check" in settings.values:  # which may hide what this check has found
            words += ["--config", os.devnull]
        return shlex.join(words)


def require_root(settings: Settings) -> None:
    """
    Refuse a directory that does not exist.

    Raises:
        UsageError: If `root` is set, and there is no such directory.

    """
    if settings.root and not os.path.isdir(settings.root):
        message = f"no such directory {settings.root}{suggested_file(settings.root)}"
        file = SettingsFile.load(settings.path)
        raise file.error("root", message) if file else UsageError(message)
