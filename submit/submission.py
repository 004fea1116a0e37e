"""Tell engines what is due, batch by batch, and write down each answer before the next one."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from sitemapx.submit.engines.engine import Batch, Engine, Kind
from sitemapx.submit.engines.exchange import Answer, RefusedError, Reply, Request, State
from sitemapx.submit.journal import Journal
from sitemapx.submit.secrets import Secret, masked
from sitemapx.submit.transport import Transport, run

__all__ = ["Outcome", "Submission"]

_QUOTA = "what the engine takes for now is used up"
_TIME = "the time for this run is up"
_NO_ROOM = Answer("left", None, _QUOTA, "run this again tomorrow")
#: How often a batch is divided at most. To find one of 10,000 URLs takes 14 times.
_MOST_SPLITS = 64
_UNFOUND = "bad URLs among these are not found yet"
_GO_ON = "run this again, which finds more of the bad ones"
#: What an engine accepted of a site not longer ago than this shows that it knows the key.
_DAY = 86_400
#: So many reasons are shown in a row.
_SHOWN = 5


class Outcome(Struct, frozen=True, kw_only=True):
    """
    What became of a batch; a row of the table.

    Attributes:
        sent: How many items went out.
        accepted: How many of them were taken.
        refused: How many of them were not, or nobody knows.
        left: How many were not sent since that would have been vain.
        why: What the engine said, in words.
        cure: What to do next.

    """

    engine: str
    kind: Kind
    host: str
    state: State
    sent: int = 0
    accepted: int = 0
    refused: int = 0
    left: int = 0
    status: int | None = None
    why: str = ""
    cure: str = ""

    @property
    def is_well(self) -> bool:
        """Whether there is nothing to do."""
        return self.state == "accepted" and not self.refused and not self.left


class Submission:
    """
    One run that tells one engine of one kind of things.

    Attributes:
        target: The engine and the kind, as the journal numbers them.
        put_off: How many items are left for another time, because of the limit.
        left: How many are not sent, by site, because that would have been vain.

    """

    def __init__(
        self,
        engine: Engine,
        kind: Kind,
        journal: Journal,
        transport: Transport,
        *,
        secrets: Sequence[Secret] = (),
        limit: int | None = None,
        time_left: Callable[[], float] = lambda: 1.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        """
        Take what is needed.

        Args:
            secrets: Those of the engine.
            limit: How many items to send at most.
            time_left: Tells how many seconds are left.

        """
        self.put_off = 0
        self._engine = engine
        self._kind: Kind = kind
        self._journal = journal
        self._transport = _Watched(transport)
        self._secrets = secrets
        self._limit = limit
        self._time_left = time_left
        self._now = now
        self.target = journal.target(engine.about.name, kind)
        self._rooms: dict[str, int | None] = {}
        #: Sites that get no more batches, and why.
        self._closed: dict[str, Answer] = {}
        self.left: Counter[str] = Counter()
        self._is_down: Answer | None = None
        #: Sites of which the engine accepts URLs, and URLs that it rejects one by one, by site.
        self._accepting: set[str] = set()
        self._suspects: dict[str, list[str]] = {}

    def run(self, batches: Iterable[Batch]) -> Iterator[Outcome]:
        """
        Send batches, and give what became of each, and then of what was not sent.

        Raises:
            OutputError: If the journal cannot be written.

        """
        for batch in batches:
            if now := self._within_limit(batch):
                yield from self._delivered(now)
        for site, count in self.left.items():
            answer = self._is_down or self._closed.get(site, _NO_ROOM)
            host = site.partition("://")[2]
            yield self._outcome(host, answer._replace(state="left"), left=count)

    def _within_limit(self, batch: Batch) -> Batch | None:
        """Cut a batch to what may go out in this run."""
        items = batch.items
        if self._limit is not None:
            self.put_off += max(len(items) - self._limit, 0)
            items = items[: self._limit]
            self._limit -= len(items)
        return batch._replace(items=items) if items else None

    def _delivered(self, batch: Batch) -> Iterator[Outcome]:
        """Send a batch; if it is rejected as a whole, its parts, until the bad URLs are found."""
        waiting, outcomes, splits = [batch], list[Outcome](), 0
        rejected: Answer | None = None
        is_dead_end = False
        while waiting:
            # Depth first, so that good parts are accepted early; as long as there are none, the
            # largest part is the likeliest to have some.
            is_lost = is_dead_end and not self._accepts(batch)
            if not (part := self._sendable(waiting.pop(0 if is_lost else -1))):
                continue
            outcome, answer = self._sent(part, is_divisible=splits < _MOST_SPLITS)
            if splits and answer.blames_urls and len(part.items) == 1:
                outcome = replace(outcome, why=f"{part.urls[0]}: {outcome.why}")
            rejected = answer if answer.blames_urls else rejected
            outcomes.append(outcome)
            is_dead_end = answer.blames_urls and not answer.parts
            if answer.parts and splits < _MOST_SPLITS:
                splits += 1
                items = {item.url: item for item in part.items}
                waiting += [
                    part._replace(items=[items[url] for url in urls])
                    for urls in reversed(answer.parts)
                ]
        if sent := [one for one in outcomes if one.sent or one.left]:
            summed = _summed(sent)
            if splits and rejected and batch.site not in self._closed and self._is_rejecting(batch):
                self._close(batch.site, rejected)  # it was none of the URLs in particular
                refused = summed.refused + summed.left
                summed = replace(summed, state="refused", refused=refused, left=0)
                summed = replace(summed, cure=rejected.cure)
            yield summed

    def _is_rejecting(self, batch: Batch) -> bool:
        """Tell whether the engine rejects whatever it is sent, and names no URL for it."""
        return not self._accepts(batch) and len(self._suspects.get(batch.site, ())) > 1

    def _accepts(self, batch: Batch) -> bool:
        """Tell whether the engine accepts URLs of this site, now or not long ago."""
        site = batch.site
        since = self._now() - _DAY
        if site not in self._accepting and self._journal.accepted(self.target, site, since):
            self._accepting.add(site)
        return site in self._accepting

    def _judge_suspects(self, batch: Batch, answer: Answer) -> None:
        """Refuse the URLs that were rejected one by one, once the engine takes others."""
        suspects = self._suspects.setdefault(batch.site, [])
        if answer.blames_urls and not answer.parts:
            suspects += [url for url in batch.urls if url not in answer.refused]
        if suspects and self._accepts(batch):
            self._journal.refuse(self.target, suspects)
            suspects.clear()

    def _sendable(self, batch: Batch) -> Batch | None:
        """Cut a batch to what may go out now."""
        site, items = batch.site, batch.items
        if self._time_left() <= 0:
            self._is_down = Answer("left", None, _TIME, "run this again, or with a longer --budget")
        if not self._is_down and site not in self._closed and site not in self._rooms:
            self._open(batch)
        if self._is_down or site in self._closed:
            self.left[site] += len(items)
            return None
        room = self._rooms[site]
        if room is not None and room < len(items):
            self.left[site] += len(items) - room
            items = items[:room]
        if room is not None:
            self._rooms[site] = room - len(items)
        return batch._replace(items=items) if items else None

    def _open(self, batch: Batch) -> None:
        """Ask what has to be known before the first batch of a site."""
        steps = self._engine.open(batch.kind, batch.host, batch.site)
        try:
            room = run(steps, self._transport, self._secrets)
        except RefusedError as error:
            self._close(batch.site, self._readable(error.answer))
        else:
            self._rooms[batch.site] = room and max(room, 0)

    def _close(self, site: str, answer: Answer) -> None:
        self._closed[site] = answer
        if answer.state == "unreachable":
            self._is_down = answer

    def _sent(self, batch: Batch, *, is_divisible: bool) -> tuple[Outcome, Answer]:
        """Send a batch; what became of those of its items that are not sent again in parts."""
        sent_at = self._now()
        number = self._journal.begin(self.target, batch, sent_at)
        self._transport.forget()
        answer = self._readable(run(self._engine.send(batch), self._transport, self._secrets))
        if answer.ends:
            self._close(batch.site, answer)
        count = len(batch.items)
        if self._transport.is_withheld:
            self._journal.cancel(number, self.target, batch)
            answer = answer._replace(state="left", parts=())
            return self._outcome(batch.host, answer, left=count), answer
        rest = {**answer.refused, **answer.postponed}
        if rest and not answer.why:
            answer = answer._replace(why="; ".join(dict.fromkeys(rest.values())))
        self._journal.end(number, self.target, batch, answer, sent_at)
        self._judge_suspects(batch, answer)
        self._update_room(batch, answer)
        refused, postponed = len(answer.refused), len(answer.postponed)
        if answer.parts and is_divisible:
            return self._outcome(batch.host, answer, sent=refused, refused=refused), answer
        if answer.parts:
            left = answer._replace(state="left", why=_UNFOUND, cure=_GO_ON)
            counts = {"refused": refused, "left": count - refused}
            return self._outcome(batch.host, left, sent=count, **counts), answer
        if answer.state != "accepted":
            return self._outcome(batch.host, answer, sent=count, refused=count), answer
        counts = {"accepted": count - len(rest), "refused": refused, "left": postponed}
        return self._outcome(batch.host, answer, sent=count, **counts), answer

    def _update_room(self, batch: Batch, answer: Answer) -> None:
        """Take over how many more items the engine takes; a rejected batch took no room."""
        room = self._rooms[batch.site]
        if answer.room is not None:
            self._rooms[batch.site] = max(answer.room, 0)
        elif (answer.parts or answer.blames_urls) and room is not None:
            self._rooms[batch.site] = room + len(batch.items)

    def _outcome(self, host: str, answer: Answer, **counts: int) -> Outcome:
        return Outcome(
            engine=self._engine.about.name,
            kind=self._kind,
            host=host,
            state=answer.state,
            status=answer.status,
            why=answer.why,
            cure=answer.cure,
            **counts,
        )

    def _readable(self, answer: Answer) -> Answer:
        """Make texts fit for eyes: they may quote an answer, and that may say anything."""
        shown = (
            "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)
            for text in (answer.why, answer.cure)
        )
        why, cure = (masked(text, self._secrets) for text in shown)
        refused, postponed = (
            {url: masked(said, self._secrets) for url, said in items.items()}
            for items in (answer.refused, answer.postponed)
        )
        return answer._replace(why=why, cure=cure, refused=refused, postponed=postponed)


class _Watched:
    """Notes whether requests that change something go out."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.forget()

    def forget(self) -> None:
        """Forget the requests so far."""
        self._withheld = self._sent = 0

    @property
    def is_withheld(self) -> bool:
        """Whether all of them were held back, since servers asked for a pause."""
        return bool(self._withheld and not self._sent)

    def ask(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Pass a request on."""
        reply = self._transport.ask(request, secrets)
        self._withheld += reply.is_withheld
        self._sent += not reply.is_withheld and request.method not in ("GET", "HEAD")
        return reply


def _summed(sent: Sequence[Outcome]) -> Outcome:
    """Make one row of the parts of a batch."""
    if len(sent) == 1:
        return sent[0]
    whys = list(dict.fromkeys(one.why for one in sent if one.why))
    more = f"; and {len(whys) - _SHOWN:,} more" if len(whys) > _SHOWN else ""
    return replace(
        next((one for one in sent if one.accepted), sent[-1]),
        sent=sum(one.sent for one in sent),
        accepted=sum(one.accepted for one in sent),
        refused=sum(one.refused for one in sent),
        left=sum(one.left for one in sent),
        why="; ".join(whys[:_SHOWN]) + more,
        cure=next((one.cure for one in reversed(sent) if one.cure), ""),
    )
