"""
Submits due items batch by batch; each answer is recorded before the next batch is sent.

A batch that is rejected because of its URLs is divided to find those that cause the rejection.
"""

import signal
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import FrameType
from typing import NamedTuple

from msgspec.structs import replace

from sitemapx.errors import RefusedError
from sitemapx.optionnames import advice
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch, SubmissionItem
from sitemapx.submit.engines.exchange import REFUSED_URL_ACTION, Answer, AnswerState
from sitemapx.submit.journal.journal import Journal, SentBatch
from sitemapx.submit.journal.queries import accepted_url, learn_size, learned_size, sent_since
from sitemapx.submit.outcome import (
    Outcome,
    merge_outcomes,
    reason_with_urls,
    refused_urls,
)
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.transport.transport import Recorder, Transport, run_steps

_DAY = 86_400
_QUOTA = "current quota is used up"
_TIME = "time budget is used up"
_INTERRUPTED = Answer("left", None, "interrupted", "run again")
_NO_ROOM = Answer("left", None, _QUOTA, "run again tomorrow")
_STILL_SEARCHING = "not all rejected URLs are identified yet"
_RERUN_HINT = "run again to identify more of them"
_REJECTS_ALL = "other URLs of the site, accepted before, are rejected as well"
#: Maximum number of divisions of a batch; finding a single URL among 10,000 takes 14.
_MOST_DIVISIONS = 64
_TOO_LARGE = 413


class Clock(NamedTuple):
    """Functions that return the time (seconds since 1970) and the seconds left of the budget."""

    now: Callable[[], float]
    seconds_left: Callable[[], float]


class BatchBisection:
    """
    Finds the URLs that cause a batch to be rejected, by sending smaller and smaller parts.

    Attributes:
        waiting: Parts still to be sent; the last element is normally the next one.
        rejected: The last answer that blames the URLs; None before the first.

    """

    def __init__(self, batch: SubmissionBatch) -> None:
        self.waiting = [batch]
        self.rejected: Answer | None = None
        self._is_dead_end = False
        self._count = 0

    @property
    def is_divisible(self) -> bool:
        return self._count < _MOST_DIVISIONS

    def pop_part(self, *, accepts: bool) -> SubmissionBatch:
        """
        Remove and return the part to send next.

        The search is depth first, so that valid parts are accepted early. If it ends at a rejected
        part that cannot be divided, and nothing has been accepted yet, the oldest part is next: it
        is normally the largest, so it most likely contains a valid URL.

        Args:
            accepts: Whether the engine has accepted a URL of the site in this run.

        """
        return self.waiting.pop(0 if self._is_dead_end and not accepts else -1)

    def record_answer(self, part: SubmissionBatch, answer: Answer, *, accepts: bool) -> None:
        """
        Record the answer to a part, and add the smaller parts to send instead, within the limit.

        Args:
            accepts: Whether the engine has accepted a URL of the site in this run. If not, only the
                first division uses the URLs that the answer names, and further ones are halves, as
                the engine may reject all URLs of the site.

        """
        parts = answer.parts
        if answer.blames_urls:
            self.rejected = answer
            if parts and self._count and not accepts:
                middle = len(part.items) // 2
                parts = (part.urls[:middle], part.urls[middle:])
        self._is_dead_end = answer.blames_urls and not parts
        if parts and self.is_divisible:
            self._count += 1
            items = {item.url: item for item in part.items}
            self.waiting += [
                part._replace(items=[items[url] for url in urls]) for urls in reversed(parts)
            ]


class BatchSize:
    """
    The maximum number of items in a batch, learned from answers and used for 30 days.

    A number is stored once any batch is accepted: a server that rejects everything has no limit.
    """

    def __init__(self, journal: Journal, target_id: int, now: float) -> None:
        self._journal = journal
        self._target_id = target_id
        self._now = now
        self._most = learned_size(journal, target_id, now)
        self._is_kept = True

    def split(self, batch: SubmissionBatch) -> Iterator[SubmissionBatch]:
        """Yield the items of a batch in batches of at most the maximum size."""
        items = iter(batch.items)
        while some := list(islice(items, self._most)):
            yield batch._replace(items=some)

    def learn_from(self, batch: SubmissionBatch, answer: Answer) -> Answer:
        """Learn the batch size from an answer; return it, divided if the batch was too large."""
        if answer.state == "accepted" and self._most and not self._is_kept:
            self._is_kept = True
            learn_size(self._journal, self._target_id, self._now, self._most)
        count = len(batch.items)
        most = answer.most or (count // 2 if answer.status == _TOO_LARGE else count)
        if not 0 < most < count:
            return answer
        self._most, self._is_kept = most, False
        parts = [part.urls for part in self.split(batch)]
        return answer._replace(parts=parts, ends=False, blames_urls=False)


class RejectedUrls:
    """
    URLs that an engine rejects individually, by site.

    Rejected URLs are recorded as permanently refused once the engine accepts another URL of the
    same site in the same run: before that, the cause may be the key, the site or the engine.
    """

    def __init__(self, journal: Journal, target_id: int) -> None:
        self._journal = journal
        self._target_id = target_id
        self._accepting: set[str] = set()
        self._unnamed: Counter[str] = Counter()
        self._urls: defaultdict[str, list[str]] = defaultdict(list)

    def is_accepted(self, site: str) -> bool:
        return site in self._accepting

    def has_undecided(self, site: str) -> bool:
        """Return whether a site has rejected URLs that are not recorded as refused yet."""
        return bool(self._urls[site])

    def count_unnamed(self, site: str) -> int:
        """Count undecided URLs of a site that no reply called invalid; see `Answer.names_url`."""
        return self._unnamed[site]

    def record_answer(self, batch: SubmissionBatch, answer: Answer) -> None:
        site, urls = batch.site, self._urls[batch.site]
        if answer.blames_urls and not answer.parts:
            rejected = refused_urls(batch, answer)
            urls += rejected
            self._unnamed[site] += 0 if answer.names_url else len(rejected)
        rest = answer.refused.keys() | answer.postponed.keys()
        if answer.state == "accepted" and not rest.issuperset(batch.urls):
            self._accepting.add(site)
        if urls and self.is_accepted(site):
            self._journal.reject_urls(self._target_id, urls)
            urls.clear()
            self._unnamed[site] = 0


class Submission:
    """
    Submits batches of one kind to one engine.

    `postponed` is the number of items deferred to the next run because of the limit.
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
        self.postponed = 0
        self._engine = engine = selected.engine
        self._kind: ItemKind = kind
        self._journal = journal
        self._transport = Recorder(transport)
        self._secrets = selected.secrets
        self._limit = limit
        self._clock = clock
        self._target_id = journal.target_id(engine.about.name, kind)
        self._rooms: dict[str, int | None] = {}
        #: Sites to which no more batches are sent, and the answer that caused this.
        self._closed: dict[str, Answer] = {}
        #: Number of items per site not sent because of a quota, the budget, Ctrl-C or an answer.
        self._left: Counter[str] = Counter()
        #: The answer after which no more batches are sent; None while sending continues.
        self._is_down: Answer | None = None
        self._interrupts = Interrupts()
        self._size = BatchSize(journal, self._target_id, clock.now())
        self._rejected = RejectedUrls(journal, self._target_id)

    def submit_batches(self, batches: Iterable[SubmissionBatch]) -> Iterator[Outcome]:
        """
        Send batches; yield the outcomes of attempts, then those of the items left for each site.

        Raises:
            KeyboardInterrupt: If Ctrl-C was pressed; for the last response, and for SIGTERM, see
                `Interrupts`.

        """
        for batch in batches:
            if now := self._cut_to_limit(batch):
                yield from self._send_in_parts(now)
        for site, count in self._left.items():
            answer = self._is_down or self._closed.get(site, _NO_ROOM)
            host = site.partition("://")[2]
            yield self._outcome(host, answer._replace(state="left"), left=count)
        self._interrupts.raise_requested()

    def _cut_to_limit(self, batch: SubmissionBatch) -> SubmissionBatch | None:
        items = batch.items
        if self._limit is not None:
            self.postponed += max(len(items) - self._limit, 0)
            items = items[: self._limit]
            self._limit -= len(items)
        return batch._replace(items=items) if items else None

    def _send_in_parts(self, batch: SubmissionBatch) -> Iterator[Outcome]:
        """Send a batch, dividing rejected parts; yield the merged outcome, if any."""
        site, bisection, outcomes = batch.site, BatchBisection(batch), list[Outcome]()
        while bisection.waiting:
            popped = bisection.pop_part(accepts=self._rejected.is_accepted(site))
            first, *rest = self._size.split(popped)
            bisection.waiting += reversed(rest)
            if not (part := self._cut_to_room(first)):
                continue
            with self._interrupts.defer():
                outcome, answer = self._send_batch(part, is_divisible=bisection.is_divisible)
            if self._interrupts.requested:
                self._is_down = _INTERRUPTED
            if outcome.sent or outcome.left:
                outcomes.append(outcome)
            bisection.record_answer(part, answer, accepts=self._rejected.is_accepted(site))
        if outcomes:
            row, rejected = merge_outcomes(outcomes), bisection.rejected
            yield self._resolve_rejection(row, batch, rejected) if rejected else row

    def _resolve_rejection(self, row: Outcome, batch: SubmissionBatch, rejected: Answer) -> Outcome:
        """
        Decide whether the URLs or the whole site caused a rejection, and complete the outcome.

        A URL that was accepted earlier may be sent again to find out; the site may be closed.
        """
        site = batch.site
        known = self._accepted_batch(batch) if self._rejected.has_undecided(site) else None
        if known and self._resend(known).blames_urls:
            row = replace(row, reason=f"{row.reason}; {_REJECTS_ALL}")
        if self._rejected.is_accepted(site):
            is_advised = row.action == rejected.action
            return replace(row, action=REFUSED_URL_ACTION) if is_advised else row
        if site in self._closed or (self._rejected.count_unnamed(site) < 2 and not known):
            return row
        self._close_site(site, rejected)  # the cause is not a particular URL
        refused = row.refused + row.left
        return replace(row, state="refused", refused=refused, left=0, action=rejected.action)

    def _accepted_batch(self, batch: SubmissionBatch) -> SubmissionBatch | None:
        """Return a batch of a URL accepted earlier, counted as sent; None if none is available."""
        site = batch.site
        is_full = 0 in (self._room(site), self._limit)
        if self._is_down or site in self._closed or is_full or self._clock.seconds_left() <= 0:
            return None
        before = self._clock.now() - self._engine.about.interval
        url = accepted_url(self._journal, self._target_id, site, before)
        if url is None:
            return None
        if self._limit is not None:
            self._limit -= 1
        self._use_room(site, 1)
        return batch._replace(items=[SubmissionItem(url)])

    def _cut_to_room(self, batch: SubmissionBatch) -> SubmissionBatch | None:
        """Open the site if necessary; cut a batch to quota and time, or return None for nothing."""
        site, items = batch.site, batch.items
        if self._clock.seconds_left() <= 0:
            self._is_down = Answer("left", None, _TIME, advice("run again", "raise --budget"))
        if not self._is_down and site not in self._closed and site not in self._rooms:
            self._open_site(batch)
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
        """Return the number of items that the engine still accepts; None if unknown."""
        room = self._rooms.get(site)
        if per_day := self._engine.about.per_day:
            left = per_day - sent_since(self._journal, self._target_id, self._clock.now() - _DAY)
            room = max(left if room is None else min(left, room), 0)
        return room

    def _use_room(self, site: str, count: int) -> None:
        room = self._rooms.get(site)
        if room is not None:
            self._rooms[site] = room - count

    def _open_site(self, batch: SubmissionBatch) -> None:
        steps = self._engine.open(batch.kind, batch.host, batch.site)
        try:
            room = run_steps(steps, self._transport, self._secrets)
        except RefusedError as error:
            answer = error.answer
            if answer.state == "unknown":  # no items have been sent yet
                answer = answer._replace(action=advice("run again later"))
            self._close_site(batch.site, answer)
        else:
            self._rooms[batch.site] = room and max(room, 0)

    def _close_site(self, site: str, answer: Answer) -> None:
        self._closed[site] = answer
        if answer.state == "unreachable":
            self._is_down = answer

    def _resend(self, known: SubmissionBatch) -> Answer:
        """Resend a URL that was accepted earlier; a rejection does not count against the URL."""
        with self._interrupts.defer():
            sent, answer = self._exchange(known)
            answer = answer._replace(refused={}, postponed={})
            if self._transport.is_sent:
                sent.record_answer(answer)
        self._update_room(known, answer)
        if answer.state == "accepted":
            self._rejected.record_answer(known, answer)
        return answer

    def _exchange(self, batch: SubmissionBatch) -> tuple[SentBatch, Answer]:
        """Send a batch; return its record, deleted if nothing was sent, and the answer."""
        sent = self._journal.begin_batch(self._target_id, batch, self._clock.now())
        self._transport.reset_counts()
        answer = run_steps(self._engine.send(batch), self._transport, self._secrets)
        answer = self._size.learn_from(batch, answer)
        if answer.ends:
            self._close_site(batch.site, answer)
        if not self._transport.is_sent:
            sent.cancel()
        return sent, answer

    def _send_batch(self, batch: SubmissionBatch, *, is_divisible: bool) -> tuple[Outcome, Answer]:
        """Send a batch and record the answer; the outcome omits items to be resent in parts."""
        sent, answer = self._exchange(batch)
        count = len(batch.items)
        if not self._transport.is_sent:
            state: AnswerState = "left" if self._transport.is_withheld else answer.state
            answer = answer._replace(state=state, parts=())
            return self._outcome(batch.host, answer, left=count), answer
        rest = {**answer.refused, **answer.postponed}
        urls = refused_urls(batch, answer)
        answer = answer._replace(reason=reason_with_urls(answer, urls))
        sent.record_answer(answer)
        self._rejected.record_answer(batch, answer)
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
        room = self._rooms[batch.site]
        if answer.room is not None:
            self._rooms[batch.site] = max(answer.room, 0)
        elif (answer.parts or answer.blames_urls) and room is not None:  # uses up no quota
            self._rooms[batch.site] = room + len(batch.items)

    def _outcome(
        self, host: str, answer: Answer, urls: tuple[str, ...] = (), **counts: int
    ) -> Outcome:
        return Outcome.from_answer(
            answer, self._engine.about.name, self._kind, host, urls, **counts
        )


# ---- Ctrl-C while a response is received

#: Maximum number of seconds to wait for the response.
_PATIENCE = 1.0


class Interrupts:
    """
    Defers Ctrl-C and SIGTERM, so that a response that arrives within a second is still recorded.

    Attributes:
        requested: Number of the signal that was deferred; None if there was none.

    """

    def __init__(self) -> None:
        self.requested: int | None = None

    @contextmanager
    def defer(self) -> Iterator[None]:
        """
        Record the first signal in `requested`, and interrupt the context only after a second.

        A second signal interrupts at once. Does nothing on Windows, outside the main thread, for
        Ctrl-C if the caller has a handler of its own, and for SIGTERM if it has none.
        """
        if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
            yield
            return
        handlers = {
            number: handler
            for number in (signal.SIGINT, signal.SIGTERM)
            if callable(handler := signal.getsignal(number))
            and (number != signal.SIGINT or handler is signal.default_int_handler)
        }

        def restore() -> None:
            for number, handler in handlers.items():
                signal.signal(number, handler)

        def request(number: int, frame: FrameType | None) -> None:
            self.requested = number
            restore()
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE)

        alarm = signal.signal(signal.SIGALRM, lambda number, frame: self.raise_requested())
        for number in handlers:
            signal.signal(number, request)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            restore()
            signal.signal(signal.SIGALRM, alarm)

    def raise_requested(self) -> None:
        """Raise the deferred signal, if there was one."""
        if self.requested is not None:
            signal.raise_signal(self.requested)
