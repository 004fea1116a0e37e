"""Resources shared by the commands of `sitemapx submit`: settings, engines, journal and network."""

import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import click

from sitemapx.cli.commands.submit.options import is_disabled
from sitemapx.cli.commands.submit.outcomes import dry_run_lines, print_outcomes
from sitemapx.cli.options.types import split_words
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.errors import OutputError, UsageError
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.inquiry import Inquiry
from sitemapx.submit.journal.currenturls import CurrentUrls
from sitemapx.submit.journal.journal import copy_journal, default_path, open_journal
from sitemapx.submit.journal.queries import JournalPauses
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.run import Run, amount
from sitemapx.submit.selection import SelectedEngine, select_engines
from sitemapx.submit.settings import Settings, load_settings
from sitemapx.submit.submission import Clock
from sitemapx.submit.transport.pauses import Pause
from sitemapx.submit.transport.transport import Transport
from sitemapx.submit.urlset import PublishedSource


@dataclass
class DryRun:
    """
    Options of a dry run of `submit`.

    Attributes:
        print_request: Called with each request that would be sent.
        contacts_site: Whether to request robots.txt, some pages and the key file from the site
            itself, as before a submission. Search engines get no requests.
        check_command: Command that lists the errors in the set, for messages; empty for a check of
            the sources.
        failures: Reasons why items would not be sent, added during the run.

    """

    print_request: Callable[[str], object] = click.echo
    contacts_site: bool = False
    check_command: str = ""
    failures: list[str] = field(default_factory=list)


class Connections:
    """
    Settings, search engines, journal and network of a command, according to its options.

    Args:
        dry_run: Options for a dry run; None to use `--dry-run` as on the command line.
        on_outcome: Called with each outcome; None to print the outcomes.

    Raises:
        UsageError: If the options or the settings are invalid.
        InputError: If the file is not a journal.
        OutputError: If the journal cannot be opened.

    Attributes:
        sender: Sends requests over the network.
        transport: The sender, or in a dry run, an object that prints requests.
        clock: The current time, and the remaining time budget.
        contacts_site: Whether to run the safety checks that send requests to the site.
        check_command: See `DryRun`.
        is_dry: Whether this is a dry run.

    """

    def __init__(
        self,
        options: dict[str, Any],
        console: Console,
        dry_run: DryRun | None = None,
        on_outcome: Callable[[Outcome], object] | None = None,
    ) -> None:
        # These import `requests`, which --help does not need.
        from sitemapx.submit.transport.dryrun import DryRunTransport
        from sitemapx.submit.transport.sender import Sender

        self._options = options
        self._on_outcome = on_outcome
        self._dry_run = dry_run = dry_run or DryRun()
        self.is_dry = options.get("dry_run", False)
        self.contacts_site = dry_run.contacts_site or not self.is_dry
        self.check_command = dry_run.check_command
        self.console = console
        settings = load_settings(options["config"])
        self.settings: Settings = settings.with_endpoints(options["endpoints"])
        self._named = split_words(options["engines"])
        self.engines = select_engines(self._named, self.settings, os.environ)
        path = options["journal"] or settings.journal or default_path()
        if self.contacts_site and self.is_dry:  # reports early that the journal cannot be written
            open_journal(path).close()
        # A dry run changes only a copy.
        self.journal = copy_journal(path) if self.is_dry else open_journal(path)
        pauses = JournalPauses(self.journal, is_obeyed=not is_disabled(options, "--no-wait"))
        self._pauses = pauses
        self._known_pauses = pauses.copy()  # other threads cannot use the SQLite connection
        self._new_pauses: list[tuple[str, Pause]] = []
        self.sender = Sender(
            user_agent=options["user_agent"],
            timeout=options["timeout"],
            retries=options["retries"],
            budget=options["budget"],
            pauses=pauses,
            allow_private=options["allow_private"],
            say=console.notice,
        )
        self.clock = Clock(time.time, lambda: self.sender.seconds_left)
        self.transport: Transport = self.sender
        if self.is_dry:
            self.transport = DryRunTransport(
                dry_run.print_request,
                is_whole=options["verbose"],
                user_agent=options["user_agent"],
                pauses=pauses,
                site=self.sender if self.contacts_site else None,
            )

    def close(self) -> None:
        self.console.close()
        self.sender.close()
        with suppress(OutputError):  # the error that ended the run is more important
            self.journal.rollback()
            self.record_pauses()
        self.journal.close()

    def obey_pauses(self, fetcher: Fetcher) -> Fetcher:
        """Configure a fetcher to obey known pauses and collect new ones; return the fetcher."""
        fetcher.paused = self._reason_to_wait
        fetcher.on_pause = self._note_pause
        return fetcher

    def _note_pause(self, url: str, seconds: float, date: float | None) -> None:
        self._new_pauses.append((url, Pause(time.time(), seconds, date)))

    def _reason_to_wait(self, url: str) -> str:
        from sitemapx.submit.transport.sender import pause_advice

        if wait := self._known_pauses.seconds_left(url):
            return f"{self._known_pauses.reason_to_wait(url)}; {pause_advice(wait)}"
        return ""

    def record_pauses(self) -> None:
        """Write the pauses that fetchers collected to the journal."""
        for url, pause in self._new_pauses:
            self._pauses.note_pause(url, pause)
        self._new_pauses.clear()

    def inquiries(self, method: str, deed: str) -> list[Inquiry]:
        """
        Return an `Inquiry` for each selected search engine whose class has a method.

        Args:
            method: Name of the method, such as `withdraw`.
            deed: Verb phrase for the method in messages, such as "withdraw sitemaps".

        Raises:
            UsageError: If a search engine named by an option lacks the method, or all of them do.

        """
        found = [selected for selected in self.engines if hasattr(selected.engine, method)]
        names = [selected.engine.about.name for selected in found]
        able = ", ".join(engine.about.name for engine in all_engines() if hasattr(engine, method))
        for name in self._named:
            if name not in names:
                raise UsageError(f"{name} cannot {deed}; search engines that can: {able}")
        if not found:
            raise UsageError(f"no configured search engine can {deed}; those that can: {able}")
        return [Inquiry(selected, self.journal, self.transport, self.clock) for selected in found]

    @contextmanager
    def wait_for_turn(self) -> Iterator[None]:
        """Wait until only this run may send; report batches whose answers were not recorded."""
        for selected in self.engines:
            for warning in selected.warnings:
                self.console.notice(f"{selected.engine.about.name}: {warning}")
        waits = partial(self.console.notice, "waiting for another run to finish")
        with self.journal.wait_for_turn(self._options["lock_timeout"], waits) as lost:
            for batch in lost:
                count = batch.accepted if batch.state == "unconfirmed" else batch.sent
                items = f"{amount(count, batch.kind)} for {batch.host}"
                message = (
                    f"an earlier run could not record that {items} was accepted; now recorded"
                    if batch.state == "unconfirmed"
                    else f"a run was killed before the response to {items} arrived; what is still "
                    "due is resent"
                )
                self.console.notice(f"{batch.engine}: {message}")
            yield

    def prepare_run(
        self,
        current: CurrentUrls,
        published: Sequence[PublishedSource] = (),
        *,
        sets: Collection[int] = (),
        is_whole: bool = False,
        is_part: bool = False,
        everything: bool = False,
    ) -> Run:
        """Return a `Run` with these arguments, which its attributes describe."""
        return Run(
            current=current,
            transport=self.transport,
            published=published,
            sets=sets,
            is_whole=is_whole,
            is_part=is_part,
            everything=everything,
            keeps_interval=not is_disabled(self._options, "--ignore-interval"),
            limit=self._options["limit"],
            max_removed=None if self._options["allow_removals"] else self.settings.max_removed,
            clock=self.clock,
            say=self.console.notice,
        )

    def submit_to_engines(self, submit: Callable[[SelectedEngine], Iterator[Outcome]]) -> int:
        """
        Submit to the selected engines, and print the outcomes or pass them to `on_outcome`.

        Args:
            submit: Submits to one engine, and yields the outcome of each batch.

        Returns:
            Exit status: 1 if anything was refused or not sent, else 0; always 0 with `on_outcome`.

        """
        self.sender.start_budget()
        outcomes = (outcome for engine in self.engines for outcome in submit(engine))
        if self._on_outcome:
            for outcome in outcomes:
                self._on_outcome(outcome)
            return 0
        if not self.is_dry:
            as_json, is_quiet = self._options["report"] == "json", self._options["quiet"]
            return 0 if print_outcomes(outcomes, as_json=as_json, is_quiet=is_quiet) else 1
        is_well = True
        for selected in self.engines:
            known = list(submit(selected))
            is_well = is_well and all(outcome.is_well for outcome in known)
            for line, is_sent in dry_run_lines(selected.engine.about.name, known):
                self.console.notice(line)
                self._dry_run.failures += [] if is_sent else [line]
        return 0 if is_well else 1
