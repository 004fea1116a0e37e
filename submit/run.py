"""Submit sets: to each engine what is due, of each kind that it takes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from shlex import quote

from msgspec.structs import replace

from sitemapx.convert.values.urls import without_user
from sitemapx.optionnames import advice
from sitemapx.settingsfile import FILE_NAME
from sitemapx.submit.clock import Clock
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch
from sitemapx.submit.journal.due import ExcessRemovals, Queue
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.journal.listing import ADDRESSES, CURRENT, Listing
from sitemapx.submit.journal.newest import newest_batches
from sitemapx.submit.limits import DEFAULT_LIMIT, RemovalLimit
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.submission import Submission
from sitemapx.submit.transport.transport import Transport
from sitemapx.submit.urlset.published import PublishedSource

__all__ = ["Run", "amount"]


@dataclass(kw_only=True)
class Run:
    """
    One run of `submit`.

    Attributes:
        listing: The URLs, published.
        published: The sources.
        sets: The sets that are submitted, as the journal numbers them.
        is_whole: Whether all URLs of the sets are known, so that what is not listed is removed.
        is_part: Whether only selected URLs are to be sent.
        everything: Whether to send what engines know already.
        keeps_interval: Whether what was sent just before is kept back.
        limit: How many URLs to send to an engine at most.
        max_removed: How much of a set may disappear at once; None for any number of URLs.
        clock: The time, and how much of it is left.
        say: Called with what is not sent, and why.

    """

    journal: Journal
    transport: Transport
    listing: Listing
    published: Sequence[PublishedSource] = ()
    sets: Collection[int] = ()
    is_whole: bool = False
    is_part: bool = False
    everything: bool = False
    keeps_interval: bool = True
    limit: int | None = None
    max_removed: RemovalLimit | None = DEFAULT_LIMIT
    clock: Clock
    say: Callable[[str], object]

    def submit(self, selected: SelectedEngine) -> Iterator[Outcome]:
        """
        Submit to an engine what is due.

        Raises:
            OutputError: If the journal cannot be written.

        """
        for kind, size in selected.sizes.items():
            queue = self._queue(selected, kind)
            no_news = _NOTHING_CHANGED if self.is_whole else _NOTHING_CHANGED_AS_READ
            if_none = no_news = no_news.format(_NOUNS[kind][1])
            if kind != "urls":
                wanted = list(self._wanted(selected, kind))
                usable, failures = self._usable(selected, kind, wanted)
                yield from failures
                self.listing.offer_addresses(usable)
                if_none = no_news if wanted else f"no source is a {kind.removesuffix('s')}"
                if len(usable) < len(wanted) or not (wanted or selected.is_named):
                    if_none = ""
            waiting = queue.offer(
                CURRENT if kind == "urls" else ADDRESSES,
                everything=self.everything,
                interval=selected.engine.about.interval if self.keeps_interval else 0,
                now=self.clock.now(),
            )
            batches = self._batches(selected, kind, queue, self.sets)
            removes = kind == "urls" and self.is_whole
            sets = self.sets if removes else ()
            yield from self._send(selected, kind, queue, batches, size, sets, waiting, if_none)

    def retry(self, selected: SelectedEngine) -> Iterator[Outcome]:
        """
        Submit to an engine whatever is due, and what it refused.

        Raises:
            OutputError: If the journal cannot be written.

        """
        for kind, size in selected.sizes.items():
            queue = self._queue(selected, kind)
            interval = selected.engine.about.interval if self.keeps_interval else 0
            waiting = queue.hold(interval, self.clock.now())
            queue.offer_refused()
            batches = self._batches(selected, kind, queue, None)
            sets = None if kind == "urls" else ()
            message = f"no {_NOUNS[kind][1]} to retry"
            yield from self._send(selected, kind, queue, batches, size, sets, waiting, message)

    def _batches(
        self, selected: SelectedEngine, kind: ItemKind, queue: Queue, sets: Collection[int] | None
    ) -> Iterator[SubmissionBatch]:
        """Yield what is due; where not all of it may be sent, the newest URLs first."""
        is_part, size = self.is_part and kind == "urls", selected.sizes[kind]
        if kind == "urls" and (self.limit is not None or selected.engine.about.has_quota):
            target = self.journal.target(selected.engine.about.name, kind)
            return newest_batches(self.journal, target, size, sets, selected_only=is_part)
        return queue.batches(kind, size, sets, selected_only=is_part)

    def _queue(self, selected: SelectedEngine, kind: ItemKind) -> Queue:
        return Queue(self.journal, self.journal.target(selected.engine.about.name, kind))

    def _send(
        self,
        selected: SelectedEngine,
        kind: ItemKind,
        queue: Queue,
        batches: Iterable[SubmissionBatch],
        size: int,
        sets: Collection[int] | None,
        waiting: int,
        if_none: str,
    ) -> Iterator[Outcome]:
        """
        Send batches, and then what was removed.

        Args:
            sets: The sets whose URLs may be removed; None for all.
            waiting: How many URLs are kept back.
            if_none: Why there may be none.

        """
        submission = Submission(
            selected,
            kind,
            self.journal,
            self.transport,
            self.clock,
            self.limit if kind == "urls" else None,
        )
        excess: list[ExcessRemovals] = []
        if sets is None or sets:
            queue.find_removed(sets)
            excess = queue.excess(self.max_removed) if self.max_removed else []
            if selected.engine.about.wants_removed and not excess:
                batches = chain(batches, queue.removed(size))
        count = 0
        for outcome in submission.run(batches):
            count += 1
            yield outcome
        if not selected.engine.about.wants_removed:
            if sets and not excess:
                queue.forget_removed()
            excess = []
        for host, left in queue.removed_by_host().items() if excess else ():
            yield _excess_outcome(selected, excess, host, left)
        put_off = submission.put_off
        self._explain(selected, kind, waiting, put_off, "" if count or excess else if_none)

    def _wanted(self, selected: SelectedEngine, kind: ItemKind) -> Iterator[PublishedSource]:
        """Yield the sources of a kind; feeds without a hub only if that is asked for."""
        for one in self.published:
            if kind == "sitemaps" or (one.is_feed and (selected.is_named or one.head.hubs)):
                yield one

    def _usable(
        self, selected: SelectedEngine, kind: ItemKind, wanted: Sequence[PublishedSource]
    ) -> tuple[list[tuple[int, str, str]], list[Outcome]]:
        """
        Choose the sources that can be submitted to an engine, and report the others.

        A source in another format is a failure only if the engine is named, and accepts none.

        Returns:
            The set, the address and the fingerprint of each; and the failures.

        """
        about = selected.engine.about
        others = [one for one in wanted if kind == "sitemaps" and not about.accepts(one.format)]
        found = [one for one in wanted if one not in others]
        failures = []
        for one in wanted:
            source = without_user(one.source)
            if one in others:
                is_failure = selected.is_named and not found
                reason = f"{about.name} does not accept {one.format} files as sitemaps"
                action = f"submit the output of `sitemapx convert {quote(source)} --to sitemap`"
            elif not one.address:
                is_failure, reason = selected.is_named, "its public URL is unknown"
                action = advice("pass --source-url", f"set site and root in {FILE_NAME}")
            else:
                continue
            if not is_failure:
                self.say(f"{about.name}: {source} not submitted: {reason}; {action}")
                continue
            failure = Outcome(engine=about.name, kind=kind, host=source, state="left", left=1)
            failures.append(replace(failure, reason=reason, action=action))
        usable = [(one.set_id, one.address, one.fingerprint) for one in found if one.address]
        return usable, failures

    def _explain(
        self, selected: SelectedEngine, kind: ItemKind, waiting: int, put_off: int, if_none: str
    ) -> None:
        """Explain what the table does not show: why there is nothing, or not all."""
        name = selected.engine.about.name
        if waiting:
            when = f"sent less than {selected.engine.about.interval // 60} minutes ago"
            way_out = advice("pass --ignore-interval to send anyway")
            self.say(f"{name}: {amount(waiting, kind)} postponed: {when}; {way_out}")
        if put_off:
            self.say(
                f"{name}: {amount(put_off, kind)} {advice('postponed to the next run by --limit')}"
            )
        if if_none and not (waiting or put_off):
            some = "nothing" if len(selected.sizes) == 1 else f"no {_NOUNS[kind][1]}"
            self.say(f"{name}: {some} to submit: {if_none}")


def _excess_outcome(
    selected: SelectedEngine, excess: Sequence[ExcessRemovals], host: str, left: int
) -> Outcome:
    """Explain why no removals are sent."""
    return Outcome(
        engine=selected.engine.about.name,
        kind="urls",
        host=host,
        state="left",
        left=left,
        reason=f"too many removals at once: {'; '.join(map(_explained, excess))}",
        action=advice("check that the source is complete; if it is, pass --allow-removals"),
    )


def _explained(one: ExcessRemovals) -> str:
    """Explain how much of a set is missing."""
    examples = ", ".join(one.examples) + (" …" if one.gone > len(one.examples) else "")
    share = f"{one.gone:,} of {one.known:,} URLs are missing ({one.gone / one.known:.0%})"
    return f"{share} from {one.set}, such as {examples}"


_NOTHING_CHANGED = "no {} added, changed or removed"
#: Likewise, if that is not known of what could not be read, or was not.
_NOTHING_CHANGED_AS_READ = "no {} added or changed in what was read"
#: Words for one, and for many.
_NOUNS: dict[ItemKind, tuple[str, str]] = {
    "urls": ("URL", "URLs"),
    "sitemaps": ("sitemap", "sitemaps"),
    "feeds": ("feed", "feeds"),
}


def amount(count: int, kind: ItemKind) -> str:
    """Put a count into words."""
    return f"{count:,} {_NOUNS[kind][count != 1]}"
