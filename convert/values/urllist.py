"""Lists of URLs that are valid URIs."""

from collections.abc import Iterator, Sequence
from typing import overload

from sitemapx.convert.values import uris


class UriList(Sequence[str]):
    """List of URLs that `uris.to_uri` leaves unchanged, stored as one text and split on demand."""

    __slots__ = ("_count", "_list", "lines")

    def __init__(self, lines: str, count: int) -> None:
        self.lines = lines
        self._count = count
        self._list: list[str] = []

    @classmethod
    def from_text(cls, lines: str, count: int) -> "UriList | None":
        r"""
        Create a list from `count` lines; None if `uris.are_uri_lines` is false or `count` wrong.

        >>> list(UriList.from_text("https://a.example/\nhttps://b.example/\n", 2))
        ['https://a.example/', 'https://b.example/']
        """
        is_one_each = lines.count("\n") == count
        return cls(lines, count) if is_one_each and uris.are_uri_lines(lines) else None

    @classmethod
    def of_list(cls, locs: Sequence[str]) -> "UriList | None":
        """Create a list from URLs; None if `uris.are_uri_lines` is false for them."""
        return (
            locs if isinstance(locs, UriList) else cls.from_text("\n".join([*locs, ""]), len(locs))
        )

    @classmethod
    def concatenate(cls, lists: Sequence["UriList"]) -> "UriList":
        return cls("".join(part.lines for part in lists), sum(map(len, lists)))

    def __reduce__(self) -> tuple[type["UriList"], tuple[str, int]]:
        return UriList, (self.lines, self._count)

    def _split(self) -> list[str]:
        if not self._list:
            self._list = self.lines.split("\n")[:-1]
        return self._list

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return iter(self._split())

    def __contains__(self, value: object) -> bool:
        return value is not None and value in self._split()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self._split()[index]

    def count(self, value: object) -> int:
        return 0 if value is None else self._split().count(value)  # type: ignore[arg-type]
