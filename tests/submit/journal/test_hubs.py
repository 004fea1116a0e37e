"""
Hubs, compared with a model: each is notified of each state of a feed once.

Only a lost response or a kill may cause a second notification; in the end, all hubs know the state.
"""

import random
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from sitemapx.convert.model.document import Head
from sitemapx.submit.engines.engine import Setup
from sitemapx.submit.engines.exchange import Reply, Request
from sitemapx.submit.engines.websub import WebSub
from sitemapx.submit.journal.currenturls import CurrentUrls
from sitemapx.submit.journal.journal import open_journal
from sitemapx.submit.journal.queries import record_heads
from sitemapx.submit.run import Run
from sitemapx.submit.secrets.secret import Secret
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.submission import Clock
from sitemapx.submit.urlset import PublishedSource
from tests.effort import seeds
from tests.submit.journal.test_due import KilledError

SITE = "https://e.example"
FEEDS: tuple[str, ...] = (f"{SITE}/a.xml", f"{SITE}/%7Eb.xml")
HUBS = tuple(f"https://hub.example/{name}" for name in "abc")
FAULTS = ["none"] * 4 + ["400", "500", "reset after", "kill", "kill after"]


class World:
    """
    The model: feeds, their hubs, and the states that hubs know.

    Attributes:
        states: Current state of each feed.
        hubs: Hubs that each feed declares.
        known: State that was last accepted, by hub and feed.
        doubtful: Pairs of hub and feed that may be notified again, since a response was lost.

    """

    def __init__(self, path: Path, seed: int) -> None:
        self.path = str(path)
        self.chance = random.Random(seed)
        self.states = dict.fromkeys(FEEDS, "0")
        self.hubs: dict[str, tuple[str, ...]] = dict.fromkeys(FEEDS, HUBS)
        self.known: dict[tuple[str, str], str] = {}
        self.doubtful: set[tuple[str, str]] = set()
        self.is_well = False

    def send_request(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Accept a notification, after asserting that it may be sent; or fail at random."""
        if request.method == "HEAD":
            return Reply(200)
        (feed,) = parse_qs(request.body)["hub.url"]
        pair = request.url, feed
        assert request.url in self.hubs[feed]
        assert pair in self.doubtful or self.known.get(pair) != self.states[feed], pair
        fault = "none" if self.is_well else self.chance.choice(FAULTS)
        if fault in ("400", "500"):
            return Reply(int(fault))
        if "kill" in fault:
            self.doubtful.update((hub, feed) for hub in HUBS)
        if fault == "kill":
            raise KilledError
        self.known[pair] = self.states[feed]
        if fault == "kill after":
            raise KilledError
        if fault == "reset after":
            self.doubtful.add(pair)
            return Reply(None, error="reset")
        self.doubtful.discard(pair)
        return Reply(204)

    def run(self, *, retries: bool = False) -> None:
        """Submit all feeds, or retry."""
        with closing(open_journal(self.path)) as journal, journal.wait_for_turn(0):
            journal.connection.execute("PRAGMA synchronous = OFF")  # safe in tests
            published = []
            for feed, state in self.states.items():
                head = Head(hubs=self.hubs[feed])
                one = PublishedSource(
                    feed, journal.set_id(feed), feed, state, state, head, is_feed=True
                )
                published.append(one)
            record_heads(journal, {one.set_id: one.head for one in published}, None)
            current = CurrentUrls(journal)
            current.sort_urls()
            run = Run(
                transport=self,
                current=current,
                published=published,
                sets=[one.set_id for one in published],
                clock=Clock(lambda: 0.0, lambda: 1.0),
                say=lambda line: None,
            )
            selected = SelectedEngine(WebSub(Setup()), {"feeds": 1}, [], True)
            for _ in run.retry(selected) if retries else run.submit(selected):
                pass

    def step(self) -> None:
        """Change a random feed, submit all, and retry."""
        feed = self.chance.choice(FEEDS)
        if self.chance.random() < 0.5:
            self.states[feed] = str(self.chance.randrange(3))
        if self.chance.random() < 0.2:
            self.hubs[feed] = tuple(self.chance.sample(HUBS, self.chance.randrange(1, 4)))
        with suppress(KilledError):
            self.run()
            self.run(retries=True)


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_random_runs_leave_hubs_up_to_date(tmp_path: Path, seed: int) -> None:
    world = World(tmp_path / "j.db", seed)
    for number in range(60):
        world.step()
        if number % 20 == 19:
            world.is_well, world.hubs = True, dict.fromkeys(FEEDS, HUBS)
            world.states = dict.fromkeys(FEEDS, f"new {number}")
            world.run()
            assert {f"new {number}"} == set(world.known.values())
            assert len(FEEDS) * len(HUBS) == len(world.known)
            world.is_well = False
