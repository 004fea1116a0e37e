"""
Due URLs in random runs with faults and kills, compared with a model.

The model records all pages, the contents of each set, and the pages that the engine accepted. No
state may be sent twice, except after a kill or a lost response; no listed or expired page may be
reported as removed; and once requests succeed again, the engine gets everything that is due.
"""

import random
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest

from sitemapx.convert.model.document import Head
from sitemapx.convert.values.uris import normalize
from sitemapx.submit.engines.engine import EngineInfo, ItemKind, Setup, SubmissionBatch
from sitemapx.submit.engines.exchange import Answer, Reply, Request, Steps, verdict
from sitemapx.submit.journal.currenturls import LIST, CurrentUrls
from sitemapx.submit.journal.journal import open_journal
from sitemapx.submit.journal.queries import count_urls, record_heads
from sitemapx.submit.run import Run
from sitemapx.submit.secrets.secret import Secret
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.settings import RemovalLimit
from sitemapx.submit.submission import Clock
from tests.effort import seeds

SITE = "https://e.example"
#: Length of the dates in each set, and maximum number of URLs; sets with a maximum expire.
SETS = {"dates": (10, None), "times": (20, None), "feed": (20, 3), "other feed": (10, 2)}
FAULTS = ["none"] * 5 + ["500", "reset", "reset after", "kill", "kill after"]


class KilledError(BaseException):
    """Raised in place of `kill -9`."""


class Told:
    """The engine of the model."""

    about: ClassVar[EngineInfo] = EngineInfo(
        name="told", title="Told", takes={"urls": 3}, wants_removed=True, interval=0
    )

    def __init__(self, setup: Setup) -> None: ...

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """Send no requests."""
        yield from ()
        return None

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        """Send a batch as lines: `+ URL`, or `- URL` for a removed page."""
        lines = (f"{'-' if item.is_removed else '+'} {item.url}" for item in batch.items)
        return verdict((yield Request("POST", SITE, body="\n".join(lines))))


class World:
    """
    The model: pages, sets that list them, and the engine.

    The URLs of a set expire if `SETS` limits their number: only the newest ones are listed.

    Attributes:
        dates: Date of the last change of each page that ever existed.
        seen: Date that each page had when a set with the page was last submitted.
        seen_by: The same, by set and page.
        told_by: Value of `seen_by` when the engine last accepted the page.
        alive: Pages that exist.
        members: Pages of each set, the newest last.
        shown: Pages in each set when it was last submitted.
        ever: Sets that were ever submitted with a page.
        gone: Pages that left a set without expiry, and are in no other set.
        lasting: Pages known to the engine that a set without expiry listed.
        accepted: Date with which the engine accepted each page; None for a removed one.
        doubtful: Pages that may be sent again, since a response was lost.
        named: Pages submitted in a list (`--urls`) after they were last submitted in a set.
        asked: Pages submitted in a list that the engine has not accepted since.
        spellings: Spelling of each page in each set.
        undated: Pages that may be sent again, since they were submitted in a list without dates.

    """

    def __init__(self, path: Path, seed: int) -> None:
        self.path = str(path)
        self.chance = random.Random(seed)
        self.clock = 500_000
        self.ticks = 0.0
        self.dates: dict[str, str] = {}
        self.seen: dict[str, str] = {}
        self.seen_by: dict[tuple[str, str], str] = {}
        self.told_by: dict[tuple[str, str], str | None] = {}
        self.alive: set[str] = set()
        self.members: dict[str, list[str]] = {name: [] for name in SETS}
        self.shown: dict[str, set[str]] = {}
        self.ever: dict[str, set[str]] = {}
        self.lasting: set[str] = set()
        self.gone: set[str] = set()
        self.accepted: dict[str, str | None] = {}
        self.doubtful: set[str] = set()
        self.named: set[str] = set()
        self.asked: set[str] = set()
        self.undated: set[str] = set()
        self.spellings: dict[tuple[str, str], str] = {}
        self.is_well = False

    # ---- pages

    def touch(self, url: str) -> None:
        """Publish or change a page."""
        self.clock += self.chance.choice([1, 1, 30])
        self.dates[url] = time.strftime("%Y-%m-%dT%H:00:00Z", time.gmtime(self.clock * 3600))
        self.alive.add(url)

    def change(self) -> None:
        """Change, delete or unlist a random page in random sets."""
        url = f"{SITE}/{self.chance.randrange(8)}"
        event = self.chance.choice(["touch", "touch", "touch", "delete", "leave"])
        names = self.chance.sample(list(SETS), self.chance.randrange(1, 3))
        if event == "touch":
            self.touch(url)
        if event == "delete":
            self.alive.discard(url)
            names = list(SETS)
        for name in names:
            if url in self.members[name]:
                self.members[name].remove(url)
            if event == "touch":
                self.members[name].append(url)

    def listed(self, name: str) -> dict[str, str]:
        """Return the URLs that a set lists now, with dates in the precision of the set."""
        size, most = SETS[name]
        return {url: self.dates[url][:size] for url in self.members[name][-(most or 999) :]}

    def spelt(self, name: str, url: str) -> str:
        """Return the spelling of a page in a set, which changes at random."""
        if (name, url) not in self.spellings or self.chance.random() < 0.1:
            number = url.rpartition("/")[2]
            found = (url, f"{SITE}/%{ord(number):02X}", f"HTTPS://E.example:443/x/../{number}")
            self.spellings[name, url] = self.chance.choice(found)
        return self.spellings[name, url]

    # ---- the engine

    def send_request(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Accept a batch, after asserting that it may be sent; or fail at random."""
        fault = "none" if self.is_well else self.chance.choice(FAULTS)
        lines = (line.split() for line in request.body.splitlines())
        items = [(sign, normalize(url)) for sign, url in lines]
        assert len({url for _, url in items}) == len(items)
        for sign, url in items:
            if sign == "+":
                assert url not in self.gone - self.asked, url
            if sign == "-":
                assert not [name for name, urls in self.shown.items() if url in urls], url
                assert any(SETS[name][1] is None for name in self.ever[url]), url
        if fault == "kill":
            raise KilledError
        if fault in ("500", "reset"):
            return Reply(500) if fault == "500" else Reply(None, error="reset")
        for sign, url in items:
            self._take(sign, url)
        if fault == "none":
            urls = {url for _, url in items}
            self.asked -= urls
            self.told_by |= {key: date for key, date in self.seen_by.items() if key[1] in urls}
        else:
            self.doubtful.update(url for _, url in items)
        if fault == "kill after":
            raise KilledError
        return Reply(None, error="reset") if fault == "reset after" else Reply(200)

    def _take(self, sign: str, url: str) -> None:
        date = self.dates[url] if sign == "+" else None
        if url not in self.doubtful | self.undated:
            assert url in self.accepted or date, f"{url} was not known, and is removed"
            assert url not in self.accepted or self.accepted[url] != date, f"{url} twice as {date}"
        self.doubtful.discard(url)
        if self.is_dated:
            self.undated.discard(url)
        if not date:
            self.lasting.discard(url)
        for name in self.ever.get(url, ()):
            shown = self.seen_by.get((name, url))
            if shown not in (self.told_by.get((name, url)), date):
                self.undated.add(url)  # what this set says next may be news or not
        if self.seen.get(url) != self.dates[url]:
            self.undated.add(url)
        self.accepted[url] = date

    # ---- runs

    def run(
        self,
        names: Sequence[str] = (),
        *,
        is_whole: bool = True,
        limit: int | None = None,
        named: Sequence[str] = (),
        retries: bool = False,
    ) -> None:
        """Submit sets, or a list of pages; or retry."""
        with closing(open_journal(self.path)) as journal, journal.wait_for_turn(0):
            journal.connection.execute("PRAGMA synchronous = OFF")  # safe in tests
            current = CurrentUrls(journal)
            ids = {name: journal.set_id(name) for name in names}
            digests: dict[int, str] = {}
            for name, set_id in ids.items():
                may_expire = [SETS[name][1] is not None] * 99
                rows = dict(list(self.listed(name).items())[: None if is_whole else 1])
                spelt = [self.spelt(name, url) for url in rows]
                current.add_urls(set_id, spelt, list(rows.values()), may_expire=may_expire)
                digests[set_id] = repr(sorted(zip(spelt, rows.values(), strict=True)))
                self._show(name, rows, is_whole)
            current.add_urls(LIST, named, [""] * len(named), may_expire=[True] * 99)
            current.sort_urls(digests if is_whole else {})
            self.named.update(named)
            self.asked.update(named)
            self.gone.difference_update(named)
            self.undated.update(named)
            self.is_dated = bool(names)
            record_heads(journal, dict.fromkeys(ids.values(), Head()), None)
            empty = current.empty_sets(ids.values())
            whole = [one for one in ids.values() if is_whole and one not in empty]
            current.record_listed(whole)
            run = Run(
                transport=self,
                current=current,
                sets=[*ids.values(), *([LIST] if named else [])],
                is_whole=is_whole and not named,
                everything=bool(named),
                limit=limit,
                max_removed=RemovalLimit(100, 0),
                clock=Clock(self._now, lambda: 1.0),
                say=lambda line: None,
            )
            selected = SelectedEngine(Told(Setup()), {"urls": 3}, [], True)
            for _ in run.retry(selected) if retries else run.submit(selected):
                pass

    def _show(self, name: str, rows: dict[str, str], is_whole: bool) -> None:
        """Update the model for a set that is submitted."""
        if is_whole and rows:
            gone = self.shown.get(name, set()) - rows.keys()
            self.shown[name] = set(rows)
            for url in gone - set().union(*self.shown.values()):
                if SETS[name][1] is None:
                    self.gone.add(url)
                if not self.accepted.get(url) or url in self.doubtful:
                    self.lasting.discard(url)
        else:
            self.shown.setdefault(name, set()).update(rows)
        for url in rows:
            self.ever.setdefault(url, set()).add(name)
            self.gone.discard(url)
            self.seen[url] = self.seen_by[name, url] = self.dates[url]
            if SETS[name][1] is None:
                self.named.discard(url)
                self.lasting.add(url)

    def _now(self) -> float:
        self.ticks += 0.01
        return self.clock * 3600 + self.ticks

    def step(self) -> None:
        """Change some pages, and submit or retry at random."""
        for _ in range(self.chance.randrange(4)):
            self.change()
        names = self.chance.sample(list(SETS), self.chance.randrange(1, 5))
        kind = self.chance.choice(["sets"] * 5 + ["part", "limit", "list", "retry"])
        try:
            if kind == "list":
                alive = sorted(self.alive)
                self.run(named=self.chance.sample(alive, min(len(alive), 2)))
            elif kind == "retry":
                self.run(retries=True)
            else:
                self.run(names, is_whole=kind != "part", limit=2 if kind == "limit" else None)
        except KilledError:
            pass

    def recover(self) -> None:
        """Submit all sets without faults."""
        self.is_well = True
        self.run(retries=True)
        for _ in "ab":
            self.run(list(SETS))


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_random_runs_leave_engine_up_to_date(tmp_path: Path, seed: int) -> None:
    world = World(tmp_path / "j.db", seed)
    for number in range(60):
        world.step()
        if number % 20 == 19:
            world.recover()
            _assert_engine_is_up_to_date(world)
            world.is_well = False
    assert any(world.accepted.values())


def _assert_engine_is_up_to_date(world: World) -> None:
    listed = {url for name in SETS for url in world.listed(name)}
    for url in listed:
        told = world.accepted.get(url)
        assert told, f"{url} was not sent"
        size = max(SETS[name][0] for name in SETS if url in world.listed(name))
        assert told[:size] == world.dates[url][:size], f"{url} is known as of {told}"
    shown = set().union(*world.shown.values())
    for url, date in world.accepted.items():
        is_left = url not in shown and url not in world.named
        if is_left and url in world.lasting:
            assert date is None, f"{url} is no longer listed, and not reported as removed"
    with closing(open_journal(world.path)) as journal:
        assert [0] == [one.to_retry for one in count_urls(journal, (), ("told",))]


def test_change_within_a_day_is_due_by_time(tmp_path: Path) -> None:
    world = World(tmp_path / "j.db", 0)
    world.is_well = True
    for names in (["dates"], ["times"]):
        for hour in ("08", "09", "10"):
            world.dates[f"{SITE}/a"] = f"2026-01-01T{hour}:00:00Z"
            world.alive.add(f"{SITE}/a")
            world.members = {name: [f"{SITE}/a"] for name in SETS}
            world.run(names)
            world.run(["dates"])
    assert "2026-01-01T10:00:00Z" == world.accepted[f"{SITE}/a"]
