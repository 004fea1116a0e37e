"""What `sitemapx submit` looks at before it sends anything, as the options want it."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sitemapx.cli.console import Console
from sitemapx.cli.fetching import fetcher_of
from sitemapx.convert.opening import Opener
from sitemapx.convert.problems import Problem
from sitemapx.convert.urls import without_user
from sitemapx.errors import InputError
from sitemapx.submit.guard import checking_for, objections
from sitemapx.submit.listing import Listing
from sitemapx.submit.transport import Transport

if TYPE_CHECKING:
    from sitemapx.convert.checking import Checking

__all__ = ["Preflight"]

#: Seconds to wait for a robots.txt, without which submitting goes on.
_PATIENCE = 10.0


class Preflight:
    """
    Looks whether anything speaks against sending: in the set while it is read, then at its site.

    Attributes:
        checking: What checks the set; None by force, for then nobody cares.

    """

    def __init__(
        self, options: dict[str, Any], console: Console, sources: Sequence[str], opener: Opener
    ) -> None:
        """
        Take what is submitted.

        Args:
            opener: What opens the sources; who checks them otherwise has to say the same.

        """
        self._options = options
        self._console = console
        self._sources = sources
        self._opener = opener
        self._errors: Counter[str] = Counter()
        quick = {"allow_private": True, "retries": 0, "timeout": min(options["timeout"], _PATIENCE)}
        self._fetcher = fetcher_of(options | quick, console.say, sources)
        self.checking: Checking | None = None
        if not options["force"]:
            self.checking = checking_for(self._fetcher, self.report)

    def close(self) -> None:
        """Give back what is held."""
        self._fetcher.close()
        if self.checking:
            self.checking.close()

    def report(self, problem: Problem) -> None:
        """Tell of a problem, and count the errors."""
        self._errors[problem.code] += problem.severity == "error"
        self._console.problem(problem)

    def judge(
        self, listing: Listing, addresses: Sequence[str], *, transport: Transport, probe: int
    ) -> None:
        """
        Look whether something speaks against sending.

        A dry run only says what is wrong with the set: it asks nobody anything.

        Args:
            addresses: Those of the sitemaps.
            transport: Tries so many pages.

        Raises:
            InputError: If something does.

        """
        if self._options["force"]:
            return
        found = list(self._wrong())
        if self._options["dry_run"]:
            if found:
                self._console.say(f"only --force would send this: {found[0]}")
            return
        found += objections(
            listing.sample, addresses, fetcher=self._fetcher, transport=transport, probe=probe
        )
        if found:
            raise InputError(f"nothing was sent: {'; '.join(found)}; --force sends all the same")

    def _wrong(self) -> Iterator[str]:
        """Tell of errors in the set, and how to see them all."""
        errors = [f"{code} {count:,}" for code, count in sorted(self._errors.items()) if count]
        if errors:
            yield f"the set has errors ({', '.join(errors)}), see `{self._command()}`"

    def _command(self) -> str:
        """Give the command that shows what is wrong with the set."""
        opener = self._opener
        words = ["sitemapx", "check", *map(without_user, self._sources)]
        for option, value in (("--from", opener.format), ("--source-url", opener.url)):
            words += [option, value] if value else []
        for one in opener.mappings:
            words += ["--map", f"{one.url}={one.folder}"]
        words += ["--fetch"] * opener.fetches + ["--no-follow"] * (not opener.follows)
        words += ["--allow-private"] * self._options["allow_private"]
        return shlex.join(words)
