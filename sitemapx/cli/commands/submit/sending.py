"""The options that say to whom and how to send, and what sends."""

import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from sitemapx.cli.commands.submit.outcomes import print_outcomes
from sitemapx.cli.options.safeguards import is_off
from sitemapx.cli.options.types import URL, split_words
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import Command, add_options, grouped
from sitemapx.convert.values.urls import without_user
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

__all__ = ["Sending", "config_option", "journal_options", "sending_options"]

_sending = grouped("Submission")
_journal = grouped("Journal and settings")


class _Endpoint(click.ParamType[tuple[str, str]]):
    """NAME=URL."""

    name = "endpoint"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        name, equals, url = str(value).partition("=")
        if not equals:
            self.fail(f"{value!r} is not of the form NAME=URL", param, ctx)
        if without_user(url) != url:
            self.fail("a user or password has no place in an endpoint", param, ctx)
        return name, URL.convert(url, param, ctx)


def sending_options(command: Command) -> Command:
    """Add the options that say to whom to send, and how much."""
    command = add_options(
        command,
        _sending(
            "--engine",
            "engines",
            multiple=True,
            metavar="NAME",
            help="Which engines to tell; repeatable.  [default: those of sitemapx.toml, else "
            "all living ones whose secrets are there]",
        ),
        _sending(
            "--limit",
            type=click.IntRange(1),
            metavar="N",
            help="Send an engine at most N URLs; the rest is left for the next time.",
        ),
        _sending("--dry-run", is_flag=True, help="Print each request, and send none."),
        _sending(
            "--endpoint",
            "endpoints",
            type=_Endpoint(),
            multiple=True,
            metavar="NAME=URL",
            help="Where the requests of an engine go; repeatable, the first that answers counts.",
        ),
        _sending(
            "--budget",
            type=click.FloatRange(0),
            metavar="SECONDS",
            default=600,
            help="For all that is sent, with all that is tried again. [600]",
        ),
        _sending(
            "--allow-removals",
            is_flag=True,
            help="Send removals even if a large part of a sitemap is missing.",
        ),
        _sending(
            "--lock-timeout",
            type=click.FloatRange(0),
            metavar="SECONDS",
            default=600,
            help="Wait this long for another run to finish. [600]",
        ),
    )
    return journal_options(command)


config_option = _journal(
    "--config",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Settings.  [default: sitemapx.toml, if there is one here]",
)


def journal_options(command: Command) -> Command:
    """Add the options that say which journal and which settings are meant."""
    return add_options(
        command,
        _journal(
            "--journal",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="What was sent, and the answers.  [default: in your state directory]",
        ),
        config_option,
    )


class Sending:
    """
    A run that sends, as the options want it.

    Attributes:
        settings: What sitemapx.toml says.
        engines: The engines.
        journal: The journal.
        sender: The network.
        console: Is told what happens.

    """

    def __init__(self, options: dict[str, Any], console: Console) -> None:
        """
        Make all that is needed.

        Raises:
            UsageError: If the options, or the settings, cannot be followed.
            InputError: If the journal is none.
            OutputError: If it cannot be opened.

        """
        # Of these --help knows nothing.
        from sitemapx.submit.transport.dryrun import DryRun
        from sitemapx.submit.transport.sender import Sender

        self._options = options
        self._is_dry = options["dry_run"]
        self.console = console
        settings = load_settings(options["config"])
        self.settings: Settings = settings.with_endpoints(options["endpoints"])
        self.engines = selected_engines(split_words(options["engines"]), self.settings, os.environ)
        path = options["journal"] or settings.journal or default_path()
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
            say=console.say,
        )
        self._transport: Transport = self.sender
        if self._is_dry:
            self._transport = DryRun(click.echo, user_agent=options["user_agent"], pauses=pauses)

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
                self.console.say(f"{selected.engine.about.name}: {warning}")
        waits = partial(self.console.say, "waiting for another run to finish")
        with self.journal.turn(self._options["lock_timeout"], waits) as lost:
            for one in lost:
                self.console.say(
                    f"{one.engine}: a run was killed before the answer to "
                    f"{amount(one.sent, one.kind)} for {one.host} came; what is still due is "
                    "sent again"
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
            say=self.console.say,
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
            done = "would be sent" if outcome.sent else f"would not be sent: {outcome.reason}"
            counts[outcome.kind, outcome.host, done] += outcome.sent or outcome.left
        for (kind, host, done), count in counts.items():
            self.console.say(f"{engine}: {amount(count, kind)} for {host} {done}")
        return is_well
