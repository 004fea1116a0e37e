"""Submits sets of URLs: to each search engine, the due items of each kind that it accepts."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from shlex import quote

from msgspec.structs import replace

from sitemapx.convert.values.urls import without_user
from sitemapx.optionnames import advice
from sitemapx.settingsfile import FILE_NAME
from sitemapx.submit.engines.engine import ItemKind
from sitemapx.submit.journal.currenturls import ADDRESSES, CURRENT, CurrentUrls
from sitemapx.submit.journal.due import DueItems, ExcessRemovals, Removals
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.settings import DEFAULT_LIMIT, RemovalLimit
from sitemapx.submit.submission import Clock, Submission
from sitemapx.submit.transport.transport import Transport
from sitemapx.submit.urlset import PublishedSource

_NOTHING_CHANGED = "no {} added, changed or removed"
#: The same message if sources were not read completely, so that removals are unknown.
_NOTHING_CHANGED_AS_READ = "no {} added or changed among those that were read"
#: Nouns in singular and plural.
_NOUNS: dict[ItemKind, tuple[str, str]] = {
    "urls": ("URL", "URLs"),
    "sitemaps": ("sitemap", "sitemaps"),
    "feeds": ("feed", "feeds"),
}


@dataclass(kw_only=True)
class Run:
    """
    Submits the due items of sets to search engines.

    Attributes:
        current: URLs that the sets list now.
        published: The sources, whose own URLs are submitted as sitemaps or feeds.
        sets: Journal IDs of the sets to submit.
        is_whole: Whether all URLs of the sets were read, so that missing URLs count as removed.
        is_part: Whether only selected URLs are to be sent.
        everything: Whether to also send URLs that engines have accepted.
        keeps_interval: Whether `everything` and `retry` defer URLs that were sent recently.
        limit: Maximum number of URLs to send to each engine; None for no limit.
        max_removed: Limit of the URLs of a set that may disappear at once; None for no limit.
        say: Called with messages for users about items that are not sent.

    """

    current: CurrentUrls
    transport: Transport
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
        """Submit the due items to an engine; yield outcomes of batches, and of items not sent."""
        for kind in selected.sizes:
            yield from _KindRun(self, selected, kind).submit()

    def retry(self, selected: SelectedEngine) -> Iterator[Outcome]:
        """Submit the due and the refused items of all sets; yield outcomes as `submit` does."""
        for kind in selected.sizes:
            yield from _KindRun(self, selected, kind).retry()


class _KindRun:
    def __init__(self, run: Run, selected: SelectedEngine, kind: ItemKind) -> None:
        self._run = run
        self._selected = selected
        self._kind: ItemKind = kind
        self._about = selected.engine.about
        self._interval = self._about.interval if run.keeps_interval else 0
        journal = run.current.journal
        target_id = journal.target_id(self._about.name, kind)
        self._due = DueItems(journal, target_id, kind, selected.sizes[kind])

    def submit(self) -> Iterator[Outcome]:
        run, kind = self._run, self._kind
        no_news = _NOTHING_CHANGED if run.is_whole else _NOTHING_CHANGED_AS_READ
        if_none = no_news = no_news.format(_NOUNS[kind][1])
        if kind != "urls":
            wanted = list(self._wanted_sources())
            usable, failures = self._usable_addresses(wanted)
            yield from failures
            run.current.set_addresses(usable)
            if_none = no_news if wanted else f"no source is a {kind.removesuffix('s')}"
            if len(usable) < len(wanted) or not (wanted or self._selected.is_named):
                if_none = ""
        held_back = self._due.add_changed(
            CURRENT if kind == "urls" else ADDRESSES,
            everything=run.everything,
            interval=self._interval,
            now=run.clock.now(),
        )
        removals = None
        if kind == "urls" and run.is_whole and run.sets:
            removals = self._due.find_removals(run.sets)
        yield from self._send(run.sets, removals, held_back, if_none)

    def retry(self) -> Iterator[Outcome]:
        held_back = self._due.add_refused(interval=self._interval, now=self._run.clock.now())
        removals = None
        if self._kind == "urls" and self._about.wants_removed:
            removals = self._due.find_removals(None)
        if_none = f"no {_NOUNS[self._kind][1]} to retry"
        yield from self._send(None, removals, held_back, if_none)

    def _send(
        self, sets: Collection[int] | None, removals: Removals | None, held_back: int, if_none: str
    ) -> Iterator[Outcome]:
        """
        Send the due items, then the removed pages, unless these are unwanted or too many.

        Args:
            sets: Journal IDs of the sets whose due items are sent; None for all sets.
            held_back: Number of URLs that are deferred because they were sent recently.
            if_none: Message for users if nothing is due; empty for no message.

        """
        run, has_urls = self._run, self._kind == "urls"
        limit = run.limit if has_urls else None
        batches = self._due.batches(
            sets,
            selected_only=run.is_part and has_urls,
            newest_first=has_urls and (limit is not None or self._about.has_quota),
        )
        excess: list[ExcessRemovals] = []
        if removals and run.max_removed:
            excess = removals.find_excess(run.max_removed)
        if removals and self._about.wants_removed and not excess:
            batches = chain(batches, removals.batches())
        submission = Submission(
            self._selected, self._kind, run.current.journal, run.transport, run.clock, limit
        )
        count = 0
        for outcome in submission.submit_batches(batches):
            count += 1
            yield outcome
        if removals and self._about.wants_removed and excess:
            for host, left in removals.count_by_host().items():
                count += 1
                yield _excess_outcome(self._selected, excess, host, left)
        elif removals and not self._about.wants_removed and not excess:
            removals.forget()
        self._explain(held_back, submission.postponed, "" if count else if_none)

    def _wanted_sources(self) -> Iterator[PublishedSource]:
        """Yield all sources as sitemaps, or else feeds; a feed needs a hub or a named engine."""
        for sitemap in self._run.published:
            is_wanted = sitemap.is_feed and (self._selected.is_named or sitemap.head.hubs)
            if self._kind == "sitemaps" or is_wanted:
                yield sitemap

    def _usable_addresses(
        self, wanted: Sequence[PublishedSource]
    ) -> tuple[list[tuple[int, str, str]], list[Outcome]]:
        """
        Return (set ID, URL, fingerprint) of the sources to submit, and the outcomes of failures.

        A source that cannot be submitted is a failure only if the engine was named; an unsupported
        format, only if there is no supported one either. Otherwise, users get a message.
        """
        about, is_named = self._about, self._selected.is_named
        others = [
            sitemap
            for sitemap in wanted
            if self._kind == "sitemaps" and not about.accepts(sitemap.format)
        ]
        found = [sitemap for sitemap in wanted if sitemap not in others]
        failures = []
        for sitemap in wanted:
            source = without_user(sitemap.source)
            if sitemap in others:
                is_failure = is_named and not found
                reason = f"{about.name} does not accept {sitemap.format} files as sitemaps"
                action = f"submit the output of `sitemapx convert {quote(source)} --to sitemap`"
            elif not sitemap.address:
                is_failure, reason = is_named, "its public URL is unknown"
                action = advice("pass --source-url", f"set site and root in {FILE_NAME}")
            else:
                continue
            if not is_failure:
                self._run.say(f"{about.name}: {source} not submitted: {reason}; {action}")
                continue
            failure = Outcome(engine=about.name, kind=self._kind, host=source, state="left", left=1)
            failures.append(replace(failure, reason=reason, action=action))
        usable = [
            (sitemap.set_id, sitemap.address, sitemap.fingerprint)
            for sitemap in found
            if sitemap.address
        ]
        return usable, failures

    def _explain(self, held_back: int, postponed: int, if_none: str) -> None:
        name, say = self._about.name, self._run.say
        if held_back:
            when = f"sent less than {self._about.interval // 60} minutes ago"
            way_out = advice("pass --ignore-interval to send anyway")
            say(f"{name}: {amount(held_back, self._kind)} postponed: {when}; {way_out}")
        if postponed:
            way_out = advice("postponed to the next run by --limit")
            say(f"{name}: {amount(postponed, self._kind)} {way_out}")
        if if_none and not (held_back or postponed):
            is_single = len(self._selected.sizes) == 1
            some = "nothing" if is_single else f"no {_NOUNS[self._kind][1]}"
            say(f"{name}: {some} to submit: {if_none}")


def _excess_outcome(
    selected: SelectedEngine, excess: Sequence[ExcessRemovals], host: str, left: int
) -> Outcome:
    action = f"if the source is complete, pass --allow-removals, or set max-removed in {FILE_NAME}"
    return Outcome(
        engine=selected.engine.about.name,
        kind="urls",
        host=host,
        state="left",
        left=left,
        reason=f"too many removals at once: {'; '.join(map(_explain_outcome, excess))}",
        action=advice(action),
    )


def _explain_outcome(excess: ExcessRemovals) -> str:
    examples = ", ".join(excess.examples) + (" …" if excess.gone > len(excess.examples) else "")
    share = (
        f"{excess.gone:,} of {excess.known:,} URLs are missing ({excess.gone / excess.known:.0%})"
    )
    return f"{share} from {excess.set}, such as {examples}"


def amount(count: int, kind: ItemKind) -> str:
    """Return a number of items with its noun, such as "3 feeds"."""
    return f"{count:,} {_NOUNS[kind][count != 1]}"
