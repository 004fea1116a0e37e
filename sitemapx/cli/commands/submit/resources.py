"""The resources of a run of `sitemapx submit`: its turn at the journal, and what it sends."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from sitemapx.cli.commands.submit.connections import Connections
from sitemapx.cli.commands.submit.outcomes import print_outcomes
from sitemapx.cli.commands.submit.rehearsal import Rehearsal
from sitemapx.cli.options.safeguards import is_off
from sitemapx.cli.terminal.console import Console
from sitemapx.submit.engines.engine import ItemKind
from sitemapx.submit.journal.listing import Listing
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.run import Run, amount
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.urlset.published import PublishedSource

__all__ = ["SubmitResources"]

#: The word of a dry run for what it would send.
_SENT = "would be sent"


class SubmitResources(Connections):
    """The resources of a run that submits, as its options want them."""

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

        """
        self._options = options
        self._rehearsal = rehearsal or Rehearsal()
        super().__init__(options, console, self._rehearsal)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the journal, and tell what a run before left open."""
        for selected in self.engines:
            for warning in selected.warnings:
                self.console.notice(f"{selected.engine.about.name}: {warning}")
        waits = partial(self.console.notice, "waiting for another run to finish")
        with self.journal.turn(self._options["lock_timeout"], waits) as lost:
            for one in lost:
                count = one.accepted if one.state == "unconfirmed" else one.sent
                what = f"{amount(count, one.kind)} for {one.host}"
                message = (
                    f"an earlier run could not record that {what} was accepted; now recorded"
                    if one.state == "unconfirmed"
                    else f"a run was killed before the response to {what} arrived; what is still "
                    "due is resent"
                )
                self.console.notice(f"{one.engine}: {message}")
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
            transport=self.transport,
            listing=listing,
            published=published,
            sets=sets,
            is_whole=is_whole,
            is_part=is_part,
            everything=everything,
            keeps_interval=not is_off(self._options, "--ignore-interval"),
            limit=self._options["limit"],
            max_removed=None if self._options["allow_removals"] else self.settings.max_removed,
            clock=self.clock,
            say=self.console.notice,
        )

    def send(self, submit: Callable[[SelectedEngine], Iterator[Outcome]]) -> int:
        """Submit to all engines, print what becomes of it, and return the exit status."""
        self.sender.start()
        if self.is_dry:
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
            advice = f"; {outcome.action}" if outcome.action else ""
            done = _SENT if outcome.sent else f"would not be sent: {outcome.reason}{advice}"
            counts[outcome.kind, outcome.host, done] += outcome.sent or outcome.left
        for (kind, host, done), count in counts.items():
            line = f"{engine}: {amount(count, kind)} for {host} {done}"
            self.console.notice(line)
            if done != _SENT:
                self._rehearsal.failures.append(line)
        return is_well
