"""Submission of what is due, batch by batch; each answer is recorded before the next one."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from msgspec.structs import replace

from sitemapx.errors import RefusedError
from sitemapx.optionnames import advice
from sitemapx.submit.clock import Clock
from sitemapx.submit.division import BatchSize, Division
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch, SubmissionItem
from sitemapx.submit.engines.exchange import Answer, AnswerState
from sitemapx.submit.engines.parts import REFUSED_URL_ACTION
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.journal.queries import accepted_url, learn_size, learned_size, sent_since
from sitemapx.submit.outcome import Outcome, readable, reason_with_urls, refused_urls, summed
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.suspects import Suspects
from sitemapx.submit.transport.interrupts import Interrupts
from sitemapx.submit.transport.recorder import Recorder
from sitemapx.submit.transport.transport import Transport, run

__all__ = ["Submission"]

_DAY = 86_400
_QUOTA = "current quota is used up"
_TIME = "time budget is used up"
_INTERRUPTED = Answer("left", None, "interrupted", "run again")
_NO_ROOM = Answer("left", None, _QUOTA, "run again tomorrow")
_STILL_SEARCHING = "not all rejected URLs are identified yet"
_RERUN_HINT = "run again to identify more of them"
_REJECTS_ALL = "other URLs of the site, accepted before, are rejected as well"


class Submission:
    """
    One run that tells one engine of one kind of things.

    Attributes:
        put_off: How many items are left for another time, because of the limit.

    """

    def __init__(
        self,
        selected: SelectedEngine,
        kind: ItemKind,
        journal: Journal,
        transport: Transport,
        clock: Clock,
        limit: int | None = None,
    ) -> None:
        """
        Prepare to send.

        Args:
            selected: The engine, with its secrets.
            limit: How many items to send at most; None for any number.

        """
        self.put_off = 0
        self._engine = engine = selected.engine
        self._kind: ItemKind = kind
        self._journal = journal
        self._transport = Recorder(transport)
        self._secrets = selected.secrets
        self._limit = limit
        self._clock = clock
        self._target = journal.target(engine.about.name, kind)
        self._rooms: dict[str, int | None] = {}
        #: Sites that get no more batches, and why.
        self._closed: dict[str, Answer] = {}
        #: How many items of a site are not sent because that would be vain.
        self._left: Counter[str] = Counter()
        self._is_down: Answer | None = None
        self._interrupts = Interrupts()
        known = learned_size(journal, self._target, clock.now())
        keep = partial(learn_size, journal, self._target, clock.now())
        self._size = BatchSize(known, keep)
        self._suspects = Suspects(journal, self._target)

    def run(self, batches: Iterable[SubmissionBatch]) -> Iterator[Outcome]:
        """
        Send batches, and give what became of each, and then of what was not sent.

        Raises:
            KeyboardInterrupt: If Ctrl-C was pressed; the last response is recorded first.
            OutputError: If the journal cannot be written.

        """
        for batch in batches:
            if now := self._within_limit(batch):
                yield from self._delivered(now)
        for site, count in self._left.items():
            answer = self._is_down or self._closed.get(site, _NO_ROOM)
            host = site.partition("://")[2]
            yield self._outcome(host, answer._replace(state="left"), left=count)
        if self._interrupts.is_requested:
            raise KeyboardInterrupt

    def _within_limit(self, batch: SubmissionBatch) -> SubmissionBatch | None:
        """Cut a batch to what may go out in this run."""
        items = batch.items
        if self._limit is not None:
            self.put_off += max(len(items) - self._limit, 0)
            items = items[: self._limit]
            self._limit -= len(items)
        return batch._replace(items=items) if items else None

    def _delivered(self, batch: SubmissionBatch) -> Iterator[Outcome]:
        """Send a batch; if it is rejected as a whole, its parts, until the bad URLs are found."""
        site, division, outcomes = batch.site, Division(batch), list[Outcome]()
        while division.waiting:
            is_lost = division.is_dead_end and not self._suspects.accepts(site)
            first, *rest = self._size.divided(division.next(is_lost=is_lost))
            division.waiting += reversed(rest)
            if not (part := self._sendable(first)):
                continue
            with self._interrupts.delayed():
                outcome, answer = self._sent(part, is_divisible=division.may_go_on)
            if self._interrupts.is_requested:
                self._is_down = _INTERRUPTED
            if outcome.sent or outcome.left:
                outcomes.append(outcome)
            division.take(part, answer, accepts=self._suspects.accepts(site))
        if outcomes:
            row, rejected = summed(outcomes), division.rejected
            yield self._decided(row, batch, rejected) if rejected else row

    def _decided(self, row: Outcome, batch: SubmissionBatch, rejected: Answer) -> Outcome:
        """Find out whether the URLs of a rejected batch are to blame, and complete its row."""
        site = batch.site
        known = self._known_url(batch) if self._suspects.is_any(site) else None
        if known and self._resend(known).blames_urls:
            row = replace(row, reason=f"{row.reason}; {_REJECTS_ALL}")
        if self._suspects.accepts(site):
            is_advised = row.action == rejected.action
            return replace(row, action=REFUSED_URL_ACTION) if is_advised else row
        if site in self._closed or (self._suspects.unnamed(site) < 2 and not known):
            return row
        self._close(site, rejected)  # no URL in particular is to blame
        refused = row.refused + row.left
        return replace(row, state="refused", refused=refused, left=0, action=rejected.action)

    def _known_url(self, batch: SubmissionBatch) -> SubmissionBatch | None:
        """Return a batch of one URL of the site that the engine may be sent again, if any."""
        site = batch.site
        is_full = 0 in (self._room(site), self._limit)
        if self._is_down or site in self._closed or is_full or self._clock.left() <= 0:
            return None
        before = self._clock.now() - self._engine.about.interval
        url = accepted_url(self._journal, self._target, site, before)
        if url is None:
            return None
        if self._limit is not None:
            self._limit -= 1
        self._use_room(site, 1)
        return batch._replace(items=[SubmissionItem(url)])

    def _sendable(self, batch: SubmissionBatch) -> SubmissionBatch | None:
        """Cut a batch to what may go out now."""
        site, items = batch.site, batch.items
        if self._clock.left() <= 0:
            self._is_down = Answer("left", None, _TIME, advice("run again", "raise --budget"))
        if not self._is_down and site not in self._closed and site not in self._rooms:
            self._open(batch)
        if self._is_down or site in self._closed:
            self._left[site] += len(items)
            return None
        room = self._room(site)
        if room is not None and room < len(items):
            self._left[site] += len(items) - room
            items = items[:room]
        self._use_room(site, len(items))
        return batch._replace(items=items) if items else None

    def _room(self, site: str) -> int | None:
        """Return how many more items the engine accepts now; None if unknown."""
        room = self._rooms.get(site)
        if per_day := self._engine.about.per_day:
            left = per_day - sent_since(self._journal, self._target, self._clock.now() - _DAY)
            room = max(left if room is None else min(left, room), 0)
        return room

    def _use_room(self, site: str, count: int) -> None:
        room = self._rooms.get(site)
        if room is not None:
            self._rooms[site] = room - count

    def _open(self, batch: SubmissionBatch) -> None:
        """Ask what has to be known before the first batch of a site."""
        steps = self._engine.open(batch.kind, batch.host, batch.site)
        try:
            room = run(steps, self._transport, self._secrets)
        except RefusedError as error:
            answer = error.answer
            if answer.state == "unknown":  # but nothing was sent yet that could have been taken
                answer = answer._replace(action="run again later")
            self._close(batch.site, readable(answer, self._secrets))
        else:
            self._rooms[batch.site] = room and max(room, 0)

    def _close(self, site: str, answer: Answer) -> None:
        self._closed[site] = answer
        if answer.state == "unreachable":
            self._is_down = answer

    def _resend(self, known: SubmissionBatch) -> Answer:
        """Send a URL that the engine accepted before; a rejection says nothing about it."""
        sent_at = self._clock.now()
        with self._interrupts.delayed():
            number, answer = self._exchange(known, sent_at)
            answer = answer._replace(refused={}, postponed={})
            if self._transport.is_sent:
                self._journal.end(number, self._target, known, answer, sent_at)
        self._update_room(known, answer)
        if answer.state == "accepted":
            self._suspects.judge(known, answer)
        return answer

    def _exchange(self, batch: SubmissionBatch, sent_at: float) -> tuple[int, Answer]:
        """Send a batch; return its number in the journal and the answer."""
        number = self._journal.begin(self._target, batch, sent_at)
        self._transport.forget()
        answer = run(self._engine.send(batch), self._transport, self._secrets)
        answer = self._size.learn(batch, readable(answer, self._secrets))
        if answer.ends:
            self._close(batch.site, answer)
        if not self._transport.is_sent:
            self._journal.cancel(number, self._target, batch)
        return number, answer

    def _sent(self, batch: SubmissionBatch, *, is_divisible: bool) -> tuple[Outcome, Answer]:
        """Send a batch; what became of those of its items that are not sent again in parts."""
        sent_at = self._clock.now()
        number, answer = self._exchange(batch, sent_at)
        count = len(batch.items)
        if not self._transport.is_sent:
            state: AnswerState = "left" if self._transport.is_withheld else answer.state
            answer = answer._replace(state=state, parts=())
            return self._outcome(batch.host, answer, left=count), answer
        rest = {**answer.refused, **answer.postponed}
        urls = refused_urls(batch, answer)
        answer = answer._replace(reason=reason_with_urls(answer, urls))
        self._journal.end(number, self._target, batch, answer, sent_at)
        self._suspects.judge(batch, answer)
        self._update_room(batch, answer)
        refused, postponed = len(answer.refused), len(answer.postponed)
        if answer.parts and is_divisible:
            return self._outcome(batch.host, answer, urls, sent=refused, refused=refused), answer
        if answer.parts:
            left = answer._replace(state="left", reason=_STILL_SEARCHING, action=_RERUN_HINT)
            counts = {"refused": refused, "left": count - refused}
            return self._outcome(batch.host, left, urls, sent=count, **counts), answer
        if answer.state != "accepted":
            return self._outcome(batch.host, answer, urls, sent=count, refused=count), answer
        counts = {"accepted": count - len(rest), "refused": refused, "left": postponed}
        return self._outcome(batch.host, answer, urls, sent=count, **counts), answer

    def _update_room(self, batch: SubmissionBatch, answer: Answer) -> None:
        """Take over how many more items the engine takes; a rejected batch took no room."""
        room = self._rooms[batch.site]
        if answer.room is not None:
            self._rooms[batch.site] = max(answer.room, 0)
        elif (answer.parts or answer.blames_urls) and room is not None:
            self._rooms[batch.site] = room + len(batch.items)

    def _outcome(
        self, host: str, answer: Answer, urls: tuple[str, ...] = (), **counts: int
    ) -> Outcome:
        return Outcome(
            engine=self._engine.about.name,
            kind=self._kind,
            host=host,
            state=answer.state,
            status=answer.status,
            reason=answer.reason,
            action=answer.action,
            urls=urls,
            **counts,
        )
