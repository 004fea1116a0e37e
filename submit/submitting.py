"""Submit a set: to each engine what is due, of each kind that it takes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from sitemapx.submit.choosing import Chosen
from sitemapx.submit.engines.engine import Batch, Item, Kind
from sitemapx.submit.journal import Journal
from sitemapx.submit.listing import Listing, host_of, site_of
from sitemapx.submit.reading import Published
from sitemapx.submit.records import known_as, pending, settled
from sitemapx.submit.settings import FILE_NAME
from sitemapx.submit.submission import Outcome, Submission
from sitemapx.submit.transport import Transport

__all__ = ["Run", "counted"]


@dataclass(kw_only=True)
class Run:
    """
    One run of `submit`.

    Attributes:
        listing: The URLs.
        published: The sources.
        set_id: The set that the URLs make up, as the journal numbers it: what is no more there was
            removed. None if it is not known whether all of it is here.
        everything: Whether to send what engines know already.
        is_patient: Whether an engine that asked to wait is left alone.
        keeps_interval: Whether what was sent just before is kept back.
        limit: How many URLs to send to an engine at most.
        is_dry: Whether nothing is sent, only shown.
        time_left: Tells how many seconds are left.
        say: Is told, in words, what is not sent and why.

    """

    journal: Journal
    transport: Transport
    listing: Listing
    published: Sequence[Published]
    set_id: int | None = None
    everything: bool = False
    is_patient: bool = True
    keeps_interval: bool = True
    limit: int | None = None
    is_dry: bool = False
    time_left: Callable[[], float]
    now: Callable[[], float]
    say: Callable[[str], object]

    def tell(self, chosen: Chosen) -> Iterator[Outcome]:
        """
        Tell an engine what is due.

        Raises:
            OutputError: If the journal cannot be written.

        """
        wants_removed = chosen.engine.about.wants_removed
        for kind, size in chosen.sizes.items():
            target = self.journal.target(chosen.engine.about.name, kind)
            if kind == "urls":
                yield from self._send(chosen, kind, self._urls(chosen, target, size), _NO_NEWS)
            else:
                wanted = list(self._wanted(chosen, kind))
                homeless = [one.source for one in wanted if not one.address]
                yield from self._homeless(chosen, kind, homeless)
                batches = _batches(kind, self._due(wanted, chosen, target), size)
                said = _NO_NEWS if wanted else f"no source is a {kind.removesuffix('s')}"
                if homeless or not (wanted or chosen.is_named):
                    said = ""
                yield from self._send(chosen, kind, batches, said)
            if kind == "urls" and self.set_id is not None and not self.is_dry:
                self.listing.settle(target, self.set_id, forgets=not wants_removed)

    def retry(self, chosen: Chosen) -> Iterator[Outcome]:
        """
        Tell an engine again what it did not accept.

        Raises:
            OutputError: If the journal cannot be written.

        """
        for kind, size in chosen.sizes.items():
            target = self.journal.target(chosen.engine.about.name, kind)
            self.listing.begin()
            others: list[Item] = []
            for items in pending(self.journal, target):
                pages = [one for one in items if kind == "urls" and not one.is_removed]
                others += [one for one in items if kind != "urls" or one.is_removed]
                rows = [one.url for one in pages], [one.fingerprint for one in pages]
                self.listing.add(*rows, is_listed=False)
            self.listing.finish()
            due = self.listing.due(target, 0, self.now(), size, everything=True)
            batches = chain(due, _batches(kind, others, size))
            said = "nothing is left to retry"
            yield from self._send(chosen, kind, batches, said, is_retry=True)

    def _send(
        self,
        chosen: Chosen,
        kind: Kind,
        batches: Iterable[Batch],
        if_none: str,
        *,
        is_retry: bool = False,
    ) -> Iterator[Outcome]:
        """
        Send batches, and let go what they make good: of the set, or all.

        Args:
            if_none: Why there may be none.

        """
        set_id = None if is_retry else self.set_id
        submission = Submission(
            chosen.engine,
            kind,
            self.journal,
            self.transport,
            secrets=chosen.secrets,
            limit=self.limit if kind == "urls" else None,
            is_patient=self.is_patient,
            is_dry=self.is_dry,
            time_left=self.time_left,
            now=self.now,
        )
        self.listing.waiting = count = 0
        before = self.journal.next_batch
        for outcome in submission.run(batches, set_id):
            count += 1
            yield outcome
        # With a limit, a retry did not offer all of it; a set offers it the next time anyway.
        is_offered = not submission.put_off if is_retry else set_id is not None
        if is_offered and not self.is_dry:
            settled(self.journal, submission.target, before, submission.left, set_id)
        self._explain(chosen, kind, submission.put_off, "" if count else if_none)

    def _urls(self, chosen: Chosen, target: int, size: int) -> Iterator[Batch]:
        about = chosen.engine.about
        interval = about.interval if self.keeps_interval else 0
        due = self.listing.due(target, interval, self.now(), size, everything=self.everything)
        if self.set_id is None or not about.wants_removed:
            return due
        return chain(due, self.listing.gone(target, self.set_id, size))

    def _wanted(self, chosen: Chosen, kind: Kind) -> Iterator[Published]:
        """Give the sources of a kind; feeds without a hub only if that is asked for."""
        for one in self.published:
            if kind == "sitemaps" or (one.is_feed and (chosen.is_named or one.head.hubs)):
                yield one

    def _due(self, wanted: Iterable[Published], chosen: Chosen, target: int) -> Iterator[Item]:
        """Give the sitemaps or feeds that changed since the engine was told of them."""
        interval = chosen.engine.about.interval if self.keeps_interval else 0
        for one in wanted:
            if not one.address:
                continue
            known = known_as(self.journal, target, one.address)
            is_known = known is not None and known.fingerprint == one.fingerprint
            if (
                known
                and is_known
                and self.everything
                and abs(self.now() - known.sent_at) < interval
            ):
                self.listing.waiting += 1
            elif self.everything or not is_known:
                yield Item(one.address, False, one.fingerprint, is_listed=False, head=one.head)

    def _homeless(self, chosen: Chosen, kind: Kind, sources: Sequence[str]) -> Iterator[Outcome]:
        """Tell of what cannot be told of, for nobody knows where it is published."""
        name = chosen.engine.about.name
        for source in sources:
            why = "it is not known where this is published"
            cure = f"say so with --source-url, or with site and root in {FILE_NAME}"
            if chosen.is_named:
                yield Outcome(
                    engine=name, kind=kind, host=source, state="left", left=1, why=why, cure=cure
                )
            else:
                self.say(f"{name}: not told of {source}: {why}; {cure}")

    def _explain(self, chosen: Chosen, kind: Kind, put_off: int, if_none: str) -> None:
        """Say what the table does not: why there is nothing, or not all."""
        name = chosen.engine.about.name
        if waiting := self.listing.waiting:
            when = f"sent less than {chosen.engine.about.interval // 60} minutes ago"
            self.say(
                f"{name}: {counted(waiting, kind)} kept back, {when}; --ignore-interval sends them"
            )
        if put_off:
            self.say(f"{name}: {counted(put_off, kind)} left for the next time, because of --limit")
        if if_none and not (waiting or put_off):
            self.say(f"{name}: no {_NOUNS[kind][1]} to tell of: {if_none}")


_NO_NEWS = "nothing is new, changed or gone"
#: Words for one, and for many.
_NOUNS: dict[Kind, tuple[str, str]] = {
    "urls": ("URL", "URLs"),
    "sitemaps": ("sitemap", "sitemaps"),
    "feeds": ("feed", "feeds"),
}


def counted(count: int, kind: Kind) -> str:
    """Put a count into words."""
    return f"{count:,} {_NOUNS[kind][count != 1]}"


def _batches(kind: Kind, items: Iterable[Item], size: int) -> Iterator[Batch]:
    """Put items into batches of one site each."""
    sites: dict[str, list[Item]] = {}
    for item in items:
        sites.setdefault(site_of(item.url), []).append(item)
    for site, some in sites.items():
        for start in range(0, len(some), size):
            yield Batch(kind, host_of(site), site, some[start : start + size])
