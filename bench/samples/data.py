"""
Writes the samples, generated from a seed, to bench/data/.

Entries are generated as dicts in the form of `sitemapx convert --to jsonl`, so that the expected
output of a command is known without reading the file.
"""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from bench.samples.curves import CURVES
from bench.samples.generators import GENERATORS
from bench.samples.kind import SEED, Entry, Kind
from bench.samples.regular import REGULAR, ROBOTS_SITEMAP, entries, rich_entries
from bench.samples.shapes import PIECES, SITE, SITEMAP, XML
from bench.samples.varied import VARIED
from bench.samples.variedfeeds import VARIED_FEEDS
from bench.samples.variedrich import VARIED_RICH

__all__ = ["DATA", "ROBOTS_SITEMAP", "SITE", "WORST", "Entry", "Sample", "entries", "rich_entries"]

DATA = Path(__file__).parent.parent / "data"
FOLDER = DATA / f"seed-{SEED}"

#: Kind of set -> kind of its files, number of files, and suffix.
_SETS = {
    "set": ("plain", 20, ".xml"),
    "varied set": ("varied", 20, ".xml"),
    "packed set": ("plain", 200, ".xml.gz"),
    "set of languages": ("languages", 20, ".xml"),
}


def _piece(shape: str, entry: Entry) -> str:
    return PIECES[shape][2].format(entry["number"])


def _numbers(count: int) -> Iterator[Entry]:
    return ({"number": number} for number in range(count))


def _count_for(shape: str, size: int) -> int:
    return size // len(PIECES[shape][2])


_WORST_KINDS = {
    shape: Kind(suffix, _numbers, partial(_piece, shape), start, end)
    for shape, (suffix, start, _, end) in PIECES.items()
}
_KINDS = REGULAR | VARIED | VARIED_RICH | GENERATORS | CURVES | VARIED_FEEDS | _WORST_KINDS
#: Shape -> function that returns the number of pieces for a size.
WORST = {shape: partial(_count_for, shape) for shape in PIECES}


@dataclass(frozen=True)
class Sample:
    """
    A file, or a set of files with an index, in bench/data/.

    Attributes:
        kind: Name of a kind in `REGULAR`, `VARIED` or another table, of a shape of the worst input,
            or of a set of files.
        count: Number of URLs.

    """

    kind: str
    count: int

    @property
    def path(self) -> Path:
        """Path of the file; of a set, that of the index."""
        if self.kind in _SETS:
            return FOLDER / f"{self.kind}-{self.count}".replace(" ", "-") / "sitemap_index.xml"
        return FOLDER / f"{self.kind}-{self.count}{self._kind.suffix}"

    def entries(self) -> Iterator[Entry]:
        """Yield the entries, whether the file exists or not."""
        return self._kind.entries(self.count)

    @property
    def _kind(self) -> Kind:
        """The kind of the file, or of the files of a set."""
        return _KINDS[_SETS[self.kind][0] if self.kind in _SETS else self.kind]

    @property
    def children(self) -> tuple[Path, ...]:
        """The files of a set, in the order of the index."""
        _, count, suffix = _SETS[self.kind]
        numbers = range(1, count + 1)
        return tuple(self.path.with_name(f"sitemap-{number:02}{suffix}") for number in numbers)

    def make(self) -> None:
        """Write the file, unless it exists."""
        if self.path.exists():
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.kind in _SETS:
            self._make_set()
        else:
            _write(self.path, self._kind, self.entries())

    def _make_set(self) -> None:
        kind, rest = self._kind, self.entries()
        for path in self.children:
            _write(path, kind, islice(rest, self.count // len(self.children)))
        listed = "".join(
            f"  <sitemap><loc>{SITE}{path.name}</loc></sitemap>\n" for path in self.children
        )
        self.path.write_text(f'{XML}<sitemapindex xmlns="{SITEMAP}">\n{listed}</sitemapindex>\n')


def _write(path: Path, kind: Kind, rows: Iterator[Entry]) -> None:
    draft = path.with_suffix(".part")
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(draft, "wt", encoding="utf-8") as file:
        file.write(kind.start)
        file.writelines(map(kind.render, rows))
        file.write(kind.end)
    # Renamed when complete, as existing files are never written again.
    draft.replace(path)
