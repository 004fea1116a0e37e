"""The connections of a command of `sitemapx submit`: settings, engines, journal and network."""

import os
import time
from contextlib import suppress
from typing import Any

from sitemapx.cli.commands.submit.rehearsal import Rehearsal
from sitemapx.cli.options.safeguards import is_off
from sitemapx.cli.options.types import split_words
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.errors import OutputError, UsageError
from sitemapx.submit.clock import Clock
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.inquiry import Inquiry
from sitemapx.submit.journal.connection import copy_journal, default_path, open_journal
from sitemapx.submit.journal.pauses import JournalPauses
from sitemapx.submit.selection import selected_engines
from sitemapx.submit.settings import Settings, load_settings
from sitemapx.submit.transport.pauses import Pause
from sitemapx.submit.transport.transport import Transport

__all__ = ["Connections"]


class Connections:
    """
    The connections of a command that sends requests, as its options want them.

    Attributes:
        settings: Settings of the site.
        engines: The engines.
        journal: The journal.
        sender: The network.
        transport: Answers requests: the network, or a dry run.
        clock: The time, and how much of the budget is left.
        asks_site: Whether the site is asked whether anything speaks against sending.
        check_command: See `Rehearsal`.
        is_dry: Whether nothing is sent.
        console: Is told what happens.

    """

    def __init__(
        self,
        options: dict[str, Any],
        console: Console,
        rehearsal: Rehearsal | None = None,
    ) -> None:
        """
        Open the connections.

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

        self.is_dry = options.get("dry_run", False)
        rehearsal = rehearsal or Rehearsal()
        self.asks_site = rehearsal.asks_site or not self.is_dry
        self.check_command = rehearsal.check_command
        self.console = console
        settings = load_settings(options["config"])
        self.settings: Settings = settings.with_endpoints(options["endpoints"])
        self._named = split_words(options["engines"])
        self.engines = selected_engines(self._named, self.settings, os.environ)
        path = options["journal"] or settings.journal or default_path()
        if self.asks_site and self.is_dry:  # which is the time to find that it cannot be written
            open_journal(path).close()
        # A dry run leaves nothing behind, not even an empty journal.
        self.journal = copy_journal(path) if self.is_dry else open_journal(path)
        pauses = JournalPauses(self.journal, is_obeyed=not is_off(options, "--no-wait"))
        self._pauses = pauses
        self._known_pauses = pauses.copy()  # fetchers have threads, which SQLite does not allow
        self._asked_pauses: list[tuple[str, Pause]] = []
        self.sender = Sender(
            user_agent=options["user_agent"],
            timeout=options["timeout"],
            retries=options["retries"],
            budget=options["budget"],
            pauses=pauses,
            allow_private=options["allow_private"],
            say=console.notice,
        )
        self.clock = Clock(time.time, lambda: self.sender.left)
        self.transport: Transport = self.sender
        if self.is_dry:
            dry_run = DryRun(
                rehearsal.print_request,
                is_whole=options["verbose"],
                user_agent=options["user_agent"],
                pauses=pauses,
            )
            self.transport = SiteOnly(self.sender, dry_run) if self.asks_site else dry_run

    def close(self) -> None:
        """End connections, and close the journal."""
        self.console.close()
        self.sender.close()
        with suppress(OutputError):  # what ended the run matters more
            self.journal.rollback()
            self.record_pauses()
        self.journal.close()

    def obey_pauses(self, fetcher: Fetcher) -> Fetcher:
        """Let a fetcher obey the pauses in the journal, and note those that it is asked for."""
        fetcher.paused = self._reason_to_wait
        fetcher.on_pause = self._note_pause
        return fetcher

    def _note_pause(self, url: str, seconds: float, date: float | None) -> None:
        self._asked_pauses.append((url, Pause(time.time(), seconds, date)))

    def _reason_to_wait(self, url: str) -> str:
        return self._known_pauses.reason(url) if self._known_pauses.left(url) else ""

    def record_pauses(self) -> None:
        """Record the pauses that fetchers were asked for, and that are not over."""
        for url, pause in self._asked_pauses:
            self._pauses.keep(url, pause)
        self._asked_pauses.clear()

    def inquiries(self, method: str, deed: str) -> list[Inquiry]:
        """
        Return an inquiry to each selected search engine that offers a method.

        Args:
            method: Name of the method of the engines, such as `withdraw`.
            deed: What it does, for messages.

        Raises:
            UsageError: If an engine named by an option does not offer it, or none does.

        """
        found = [one for one in self.engines if hasattr(one.engine, method)]
        names = [one.engine.about.name for one in found]
        able = ", ".join(one.about.name for one in all_engines() if hasattr(one, method))
        for name in self._named:
            if name not in names:
                raise UsageError(f"{name} cannot {deed}; search engines that can: {able}")
        if not found:
            raise UsageError(f"no configured search engine can {deed}; those that can: {able}")
        return [Inquiry(one, self.journal, self.transport, self.clock) for one in found]
