"""The resources of a run of `sitemapx submit`: settings, search engines, journal and network."""

import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from sitemapx.cli.commands.submit.outcomes import print_outcomes
from sitemapx.cli.commands.submit.rehearsal import Rehearsal
from sitemapx.cli.options.safeguards import is_off
from sitemapx.cli.options.types import split_words
from sitemapx.cli.terminal.console import Console
from sitemapx.submit.clock import Clock
from sitemapx.submit.engines.engine import ItemKind
from sitemapx.submit.journal.connection import copy_journal, default_path, open_journal
from sitemapx.submit.journal.listing import Listing
from sitemapx.submit.journal.pauses import JournalPauses
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.run import Run, amount
from sitemapx.submit.selection import SelectedEngine, selected_engines
from sitemapx.submit.settings import Settings, load_settings
from sitemapx.submit.transport.transport import Transport
from sitemapx.submit.urlset.published import PublishedSource

__all__ = ["SubmitResources"]

#: The word of a dry run for what it would send.
_SENT = "would be sent"


class SubmitResources:
    """
    The resources of a run that sends, as the options want them.

    Attributes:
        settings: What sitemapx.toml says.
        engines: The engines.
        journal: The journal.
        sender: The network.
        asks_site: Whether the site is asked whether anything speaks against sending.
        console: Is told what happens.

    """

    def __init__(
        self,
        options: dict[str, Any],
        console: Console,
        rehearsal: Rehearsal | None = None,
    ) -> None:
        """
        Make all that is needed.

        Args:
            rehearsal: The dry run, if it is one; None for the usual one.

        Raises:
            UsageError: If the options, or the settings, cannot be followed.
            InputError: If the file is not a journal.
            OutputError: If it cannot be opened.

        """
        # Of these --help knows nothing.
        from sitemapx.submit.transport.dryrun import DryRun
        from sitemapx.submit.transport.sender import Sender
        from sitemapx.submit.transport.siteonly import SiteOnly

        self._options = options
        self._is_dry = options["dry_run"]
        self._rehearsal = rehearsal = rehearsal or Rehearsal()
        self.asks_site = rehearsal.asks_site or not self._is_dry
        self.console = console
        settings = load_settings(options["config"])
        self.settings: Settings = settings.with_endpoints(options["endpoints"])
        self.engines = selected_engines(split_words(options["engines"]), self.settings, os.environ)
        path = options["journal"] or settings.journal or default_path()
        if self.asks_site and self._is_dry:  # which is the time to find that it cannot be written
            open_journal(path).close()
        # A dry run leaves nothing behind, not even an empty journal.
        self.journal = copy_journal(path) if self._is_dry else open_journal(path)
        pauses = JournalPauses(self.journal, is_obeyed=not is_off(options, "--no-wait"))
        self.sender = Sender(
            user_agent=options["user_agent"],
            timeout=options["timeout"],
            retries=options["retries"],
            budget=options["budget"],
            pauses=pauses,
            allow_private=options["allow_private"],
            say=console.notice,
        )
        self._transport: Transport = self.sender
        if self._is_dry:
            dry_run = DryRun(
                rehearsal.print_request,
                is_whole=options["verbose"],
                user_agent=options["user_agent"],
                pauses=pauses,
            )
            self._transport = SiteOnly(self.sender, dry_run) if self.asks_site else dry_run

    def close(self) -> None:
        """End connections, and close the journal."""
        self.console.close()
        self.sender.close()
        self.journal.close()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the journal, and tell what a run before left open."""
        for selected in self.engines:
            for warning in selected.warnings:
                self.console.notice(f"{selected.engine.about.name}: {warning}")
        waits = partial(self.console.notice, "waiting for another run to finish")
        with self.journal.turn(self._options["lock_timeout"], waits) as lost:
            for one in lost:
                self.console.notice(
                    f"{one.engine}: a run was killed before the response to "
                    f"{amount(one.sent, one.kind)} for {one.host} arrived; what is still due is "
                    "resent"
                )
            yield

    def prepare(
        self,
        listing: Listing,
        published: Sequence[PublishedSource] = (),
        *,
        sets: Collection[int] = (),
        is_whole: bool = False,
        is_part: bool = False,
        everything: bool = False,
    ) -> Run:
        """Make a run of what was read."""
        return Run(
            journal=self.journal,
            transport=self._transport,
            listing=listing,
            published=published,
            sets=sets,
            is_whole=is_whole,
            is_part=is_part,
            everything=everything,
            keeps_interval=not is_off(self._options, "--ignore-interval"),
            limit=self._options["limit"],
            max_removed=None if self._options["allow_removals"] else self.settings.max_removed,
            clock=Clock(time.time, lambda: self.sender.left),
            say=self.console.notice,
        )

    def send(self, submit: Callable[[SelectedEngine], Iterator[Outcome]]) -> int:
        """Submit to all engines, print what becomes of it, and return the exit status."""
        self.sender.start()
        if self._is_dry:
            found = [
                self._print_dry_run(one.engine.about.name, submit(one)) for one in self.engines
            ]
            return 0 if all(found) else 1
        outcomes = (outcome for one in self.engines for outcome in submit(one))
        as_json = self._options["report"] == "json"
        return 0 if print_outcomes(outcomes, as_json=as_json) else 1

    def _print_dry_run(self, engine: str, outcomes: Iterator[Outcome]) -> bool:
        """
        Print what would be sent to an engine: a line for each host, however many requests.

        Returns:
            Whether all would be well, as far as that is known without sending.

        """
        counts: Counter[tuple[ItemKind, str, str]] = Counter()
        is_well = True
        for outcome in outcomes:
            is_well = is_well and outcome.is_well
            done = _SENT if outcome.sent else f"would not be sent: {outcome.reason}"
            counts[outcome.kind, outcome.host, done] += outcome.sent or outcome.left
        for (kind, host, done), count in counts.items():
            line = f"{engine}: {amount(count, kind)} for {host} {done}"
            self.console.notice(line)
            if done != _SENT:
                self._rehearsal.failures.append(line)
        return is_well
