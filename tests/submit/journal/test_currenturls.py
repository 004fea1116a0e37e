"""Sets whose URLs the journal already has are not recorded again."""

import random
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sitemapx.submit.journal.currenturls import CurrentUrls
from sitemapx.submit.journal.journal import open_journal

#: A URL, its fingerprint, and whether it may expire.
Row = tuple[str, str, bool]
_SPELLINGS = ("https://e.example/{}", "HTTPS://E.example:443/{}", "https://e.example/x/../{}")


def _rows(chance: random.Random) -> list[Row]:
    """Return random rows of a set that lists some pages twice, in several spellings."""
    return [
        (
            chance.choice(_SPELLINGS).format(chance.randrange(20)),
            chance.choice(["", "2024-05-08", "2024-05-08T10:53:11Z", "0123456789ab"]),
            chance.random() < 0.3,
        )
        for _ in range(chance.randrange(1, 40))
    ]


@contextmanager
def _sorted_urls(
    path: Path,
    sets: Mapping[int, list[Row]],
    *,
    is_known: bool,
    selected: bool = True,
    is_whole: bool = True,
) -> Iterator[CurrentUrls]:
    with closing(open_journal(str(path))) as journal:
        current = CurrentUrls(journal)
        for number in sets:
            assert number == journal.set_id(f"https://e.example/{number}.xml")
        for number, rows in sets.items():
            urls, fingerprints, may_expire = zip(*rows, strict=True) if rows else ((), (), ())
            current.add_urls(number, urls, fingerprints, [selected] * len(rows), may_expire)
        digests = {number: repr(rows) for number, rows in sets.items()}
        current.sort_urls(digests if is_known else {})
        yield current
        whole = [number for number, rows in sets.items() if rows]
        current.record_listed(whole if is_whole else ())


def _rows_of(current: CurrentUrls) -> list[object]:
    sql = "SELECT url, set_id, fingerprint, may_expire, is_selected FROM temp.current ORDER BY 1, 2"
    return current.journal.connection.execute(sql).fetchall()


def _is_sorted_anew(current: CurrentUrls) -> bool:
    return bool(
        current.journal.first_value("SELECT count(*) FROM now.sqlite_schema WHERE name='listed'")
    )


@pytest.mark.parametrize("seed", range(20))
def test_known_sets_equal_sorted_sets(tmp_path: Path, seed: int) -> None:
    chance, path = random.Random(seed), tmp_path / "j.db"
    sets = {1: _rows(chance), 2: _rows(chance), 3: _rows(chance)}
    for _ in range(4):
        with _sorted_urls(path, sets, is_known=True):
            pass
        with _sorted_urls(path, sets, is_known=True) as current:
            assert not _is_sorted_anew(current)
            known, sample = _rows_of(current), current.sample
        with _sorted_urls(path, sets, is_known=False) as current:
            assert _is_sorted_anew(current)
            assert _rows_of(current) == known
            assert current.sample == sample
        url, _, may_expire = sets[2][0]
        sets[2][0] = (url, chance.choice(["2025", "2026-01-01"]), not may_expire)
        sets[3] = _rows(chance)


def test_set_that_was_empty_lists_its_urls_again(tmp_path: Path) -> None:
    full, path = [("https://e.example/a", "2024", False)], tmp_path / "j.db"
    for rows in (full, [], [], full, full):
        with _sorted_urls(path, {1: rows, 2: full}, is_known=True) as current:
            found = _rows_of(current)
            assert len(found) == len(rows) + 1


def test_unselected_urls_stay_unselected(tmp_path: Path) -> None:
    sets, path = {1: [("https://e.example/a", "2024", False)]}, tmp_path / "j.db"
    for _ in "ab":
        with _sorted_urls(path, sets, is_known=True, selected=False) as current:
            assert _rows_of(current) == [("https://e.example/a", 1, "2024", 0, 0)]


def test_last_spelling_is_kept(tmp_path: Path) -> None:
    usual, other = "https://e.example/a", "https://e.example/x/../a"
    path, row = tmp_path / "j.db", ("2024", False)
    for number, url in ((1, other), (2, usual)):
        with _sorted_urls(path, {number: [(url, *row)]}, is_known=True):
            pass
    with _sorted_urls(path, {1: [(other, *row)]}, is_known=True, is_whole=False) as current:
        assert not _is_sorted_anew(current)
    with closing(open_journal(str(path))) as journal:
        assert journal.first_value("SELECT spelt FROM spellings") == other
