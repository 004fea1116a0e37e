"""
The immutable view of a batch that rules inspect; its columns are computed on first use.

Of a view, a worker process sends back only `BatchUrls`: the URLs and their positions.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import compress, islice, starmap
from operator import contains, ne
from typing import NamedTuple

from sitemapx.check.findings import Position, RawFinding
from sitemapx.check.positions import PositionFinder
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.values import uris


class ServerResponse(NamedTuple):
    """
    The HTTP response that contained a file.

    Attributes:
        requested: The requested URL, before redirects.
        url: The final URL.
        content_type: `Content-Type`; empty if it is missing or unknown.
        encodings: The values in `Content-Encoding`, in lower case.
        is_packed: Whether the body, as sent, is compressed with gzip.

    """

    requested: str
    url: str
    content_type: str = ""
    encodings: Sequence[str] = ()
    is_packed: bool = False


class File(NamedTuple):
    """
    Facts about a checked file that are known before its entries are read.

    Attributes:
        source: Name of the file.
        url: Public URL of the file; None if unknown.
        format_name: Name of the format.
        head: Metadata of the file if it is a feed.
        is_index: Whether the file is an index, so that its entries are sitemaps or feeds.
        start: The first bytes of the file, decompressed.
        response: The response of its server; None if the file was not fetched.

    """

    source: str | None
    url: str | None
    format_name: str
    head: Head = Head()
    is_index: bool = False
    start: bytes = b""
    response: ServerResponse | None = None

    @property
    def format(self) -> Format:
        return _format(self.format_name)

    @property
    def redirect(self) -> str | None:
        """The requested URL if the server redirected to a different one; otherwise None."""
        if self.response is None:
            return None
        requested, final = self.response.requested, self.response.url
        return None if uris.canonicalize(requested) == uris.canonicalize(final) else requested

    @property
    def is_feed(self) -> bool:
        return self.format.family == "feed"

    @property
    def lists_feeds(self) -> bool:
        """Whether the file is an index of feeds, which may be on any host."""
        return self.is_index and not self.format.is_published

    @property
    def kind(self) -> str:
        """Prefix for the keys of URLs, so that feeds and indexes are not compared with sitemaps."""
        return "index " if self.is_index else "feed " if self.is_feed else ""


_format = lru_cache(by_name)
#: Differs between processes that compute different hashes of the same text.
_HASH_SEED = hash("seed")


class FileExtent(NamedTuple):
    """
    Size and number of entries of a file that has been read.

    Attributes:
        size: Number of bytes, decompressed.
        start: The first bytes of the file, decompressed.

    """

    entries: int
    size: int
    is_ascii: bool
    start: bytes


class BatchUrls:
    """
    The URLs of a batch, one for each entry, and the positions of the entries.

    Args:
        locs: The URLs as written; empty strings for entries without one.
        lines: All URLs as one text, with a line feed after each.
        kind: Kind of the URLs; see `File`.
        positions: Finder of the positions; None if they are unknown.

    """

    def __init__(
        self, locs: Sequence[str], lines: str, kind: str, positions: PositionFinder | None
    ) -> None:
        self.locs = locs
        self.kind = kind
        self.positions = positions
        self.lines = lines
        self._starts: dict[str, bool] = {}

    @classmethod
    def of_batch(cls, batch: Batch, kind: str, positions: PositionFinder | None) -> "BatchUrls":
        locs = batch.locs()
        lines = valid.lines if (valid := batch.uris()) else "\n".join([*locs, ""])
        return cls(locs, lines, kind, positions)

    def __len__(self) -> int:
        return len(self.locs)

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "seed": _HASH_SEED}

    def __setstate__(self, state: dict[str, object]) -> None:
        if state.pop("seed") != _HASH_SEED:  # pickled by a process that is not a fork
            state.pop("hashes", None)
        vars(self).update(state)

    @cached_property
    def unnormalized(self) -> Mapping[int, str]:
        """Map the index of each URL that is not normalized as written to the normalized URL."""
        normals = uris.normalize_all(self.locs, self.lines)
        are_odd = map(ne, self.locs, normals) if normals is not self.locs else ()
        return {at: normals[at] for at in compress(range(len(normals)), are_odd)}

    @cached_property
    def normals(self) -> Sequence[str]:
        """The URLs as normalized by `uris.normalize`."""
        if not self.unnormalized:
            return self.locs
        normals = list(self.locs)
        for at, loc in self.unnormalized.items():
            normals[at] = loc
        return normals

    @cached_property
    def normal_lines(self) -> str:
        """The normalized URLs as one text, with a line feed after each."""
        return "\n".join([*self.normals, ""]) if self.unnormalized else self.lines

    @cached_property
    def hashes(self) -> Sequence[int]:
        """Hashes of the normalized URLs."""
        return self.hashes_of(self.normals)

    def hashes_of(self, locs: Sequence[str]) -> list[int]:
        """Return the hashes of other normalized URLs, for a comparison with `hashes`."""
        return [hash((self.kind, loc)) for loc in locs] if self.kind else list(map(hash, locs))

    def begin_with(self, start: str) -> bool:
        """Return True only if all URLs as written begin with `start`; False means "unknown"."""
        if start not in self._starts:
            count = f"\n{self.lines}".count(f"\n{start}")
            has_line_each = self.lines.count("\n") == len(self.locs)
            self._starts[start] = has_line_each and count == len(self.locs)
        return self._starts[start]

    def position_of(self, at: int, text: str = "") -> Position:
        """Return the position of a text ("": its URL) in an entry, or of the entry if not found."""
        if self.positions is None:
            return Position()
        return self.positions.position_of_entry(at, self.locs, text or self.locs[at])

    def positions_of(self, numbers: Sequence[int]) -> list[Position]:
        """Return the position of each entry; `numbers` are entry indexes in ascending order."""
        if self.positions is None:
            return [Position()] * len(numbers)
        return self.positions.positions_of_entries(numbers, self.locs)

    def finding(
        self, code: str, message: str, at: int, text: str = "", *, is_fixable: bool = True
    ) -> RawFinding:
        """Return a finding in entry `at`, at the position of `text` or of the URL."""
        position, loc = self.position_of(at, text), self.locs[at] or None
        return RawFinding(code, message, position, loc, is_fixable=is_fixable)


class Versions(NamedTuple):
    """
    The language versions that have language and URL; all columns are empty if no page has any.

    Attributes:
        languages: For each page, the languages of its versions.
        hrefs: For each page, the URLs of its versions as written.
        normal_hrefs: The same URLs, as normalized by `uris.normalize`.
        are_normal: Whether all URLs are certainly normalized as written.
        have_selves: Whether each page lists itself, spelled alike; true if no page has versions.

    """

    languages: Sequence[tuple[str, ...]] = ()
    hrefs: Sequence[tuple[str, ...]] = ()
    normal_hrefs: Sequence[tuple[str, ...]] = ()
    are_normal: bool = True
    have_selves: bool = True


class BatchView:
    """A batch of a file, as seen by rules; `positions` may be unknown (None)."""

    def __init__(self, batch: Batch, file: File, positions: PositionFinder | None) -> None:
        self.batch = batch
        self.file = file
        self.urls = BatchUrls.of_batch(batch, file.kind, positions)

    @cached_property
    def versions(self) -> Versions:
        if "alternates" not in self.batch.field_counts():
            return Versions()
        column = self.batch.column("alternates")
        languages = [link.hreflang for links in column for link in links]
        hrefs = [link.href for links in column for link in links]
        if not (all(languages) and all(hrefs)):
            column = [[link for link in links if link.hreflang and link.href] for links in column]
            languages = [link.hreflang for links in column for link in links]
            hrefs = [link.href for links in column for link in links]
        counts = list(map(len, column))
        pages = _split(hrefs, counts)
        pairs = zip(pages, self.urls.locs, strict=True)
        have_selves = 0 not in counts and all(starmap(contains, pairs))
        are_normal = uris.are_normalized(hrefs)
        normals = pages if are_normal else _split(uris.normalize_all(hrefs), counts)
        return Versions(_split(languages, counts), pages, normals, are_normal, have_selves)


def _split(values: Sequence[str], counts: Sequence[int]) -> Sequence[tuple[str, ...]]:
    """Split a flat sequence into tuples of the given lengths."""
    rest = iter(values)
    if len(set(counts)) == 1 and counts[0]:
        return list(zip(*[rest] * counts[0], strict=True))
    return [tuple(islice(rest, count)) for count in counts]
