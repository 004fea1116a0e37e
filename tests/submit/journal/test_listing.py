"""Listings of what the journal has of the sets already."""

import random
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sitemapx.submit.journal.connection import open_journal
from sitemapx.submit.journal.listing import Listing

#: A URL, its fingerprint, and whether it rolls.
Row = tuple[str, str, bool]
_SPELLINGS = ("https://e.example/{}", "HTTPS://E.example:443/{}", "https://e.example/x/../{}")


def _rows(chance: random.Random) -> list[Row]:
    """Give a set that lists some pages twice, in several spellings."""
    return [
        (
            chance.choice(_SPELLINGS).format(chance.randrange(20)),
            chance.choice(["", "2024-05-08", "2024-05-08T10:53:11Z", "0123456789ab"]),
            chance.random() < 0.3,
        )
        for _ in range(chance.randrange(1, 40))
    ]


@contextmanager
def _listing(
    path: Path,
    sets: Mapping[int, list[Row]],
    *,
    is_known: bool,
    selected: bool = True,
    is_whole: bool = True,
) -> Iterator[Listing]:
    with closing(open_journal(str(path))) as journal:
        listing = Listing(journal)
        listing.begin()
        for number in sets:
            assert number == journal.set_id(f"https://e.example/{number}.xml")
        for number, rows in sets.items():
            urls, fingerprints, rolls = zip(*rows, strict=True) if rows else ((), (), ())
            listing.add(number, urls, fingerprints, [selected] * len(rows), rolls)
        digests = {number: repr(rows) for number, rows in sets.items()}
        listing.finish(digests if is_known else {})
        yield listing
        whole = [number for number, rows in sets.items() if rows]
        listing.publish(whole if is_whole else ())


def _current(listing: Listing) -> list[object]:
    sql = "SELECT url, set_id, fingerprint, rolls, is_selected FROM temp.current ORDER BY 1, 2"
    return listing.journal.connection.execute(sql).fetchall()


def _is_sorted_anew(listing: Listing) -> bool:
    return bool(listing.journal.value("SELECT count(*) FROM now.sqlite_schema WHERE name='listed'"))


@pytest.mark.parametrize("seed", range(20))
def test_same_as_sorted(tmp_path: Path, seed: int) -> None:
    """The journal shows the same as a set that is sorted anew, also once parts of it changed."""
    chance, path = random.Random(seed), tmp_path / "j.db"
    sets = {1: _rows(chance), 2: _rows(chance), 3: _rows(chance)}
    for _ in range(4):
        with _listing(path, sets, is_known=True):
            pass
        with _listing(path, sets, is_known=True) as listing:
            assert not _is_sorted_anew(listing)
            known, sample = _current(listing), listing.sample
        with _listing(path, sets, is_known=False) as listing:
            assert _is_sorted_anew(listing)
            assert _current(listing) == known
            assert listing.sample == sample
        url, _, rolls = sets[2][0]
        sets[2][0] = (url, chance.choice(["2025", "2026-01-01"]), not rolls)
        sets[3] = _rows(chance)


def test_empty_in_between(tmp_path: Path) -> None:
    """A set that was empty once shows nothing while it is, and again what it lists."""
    full, path = [("https://e.example/a", "2024", False)], tmp_path / "j.db"
    for rows in (full, [], [], full, full):
        with _listing(path, {1: rows, 2: full}, is_known=True) as listing:
            found = _current(listing)
            assert len(found) == len(rows) + 1


def test_selection(tmp_path: Path) -> None:
    """Where only some may be sent, the journal does not know which."""
    sets, path = {1: [("https://e.example/a", "2024", False)]}, tmp_path / "j.db"
    for _ in "ab":
        with _listing(path, sets, is_known=True, selected=False) as listing:
            assert _current(listing) == [("https://e.example/a", 1, "2024", 0, 0)]


def test_spelling(tmp_path: Path) -> None:
    """A page is sent as the set spells it that was read last, also where that is known."""
    usual, other = "https://e.example/a", "https://e.example/x/../a"
    path, row = tmp_path / "j.db", ("2024", False)
    for number, url in ((1, other), (2, usual)):
        with _listing(path, {number: [(url, *row)]}, is_known=True):
            pass
    with _listing(path, {1: [(other, *row)]}, is_known=True, is_whole=False) as listing:
        assert not _is_sorted_anew(listing)
    with closing(open_journal(str(path))) as journal:
        assert journal.value("SELECT spelt FROM spellings") == other
