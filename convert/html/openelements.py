"""The elements of a page that are open: some of them, by their names."""

from collections import Counter

__all__ = ["OpenElements"]


class OpenElements:
    """
    A stack of names.

    To look a name up takes no longer the more there are, so that no page is slow to read.

    Attributes:
        names: The names, the innermost last.

    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._counts: Counter[str] = Counter()

    def __contains__(self, name: str) -> bool:
        return self._counts[name] > 0

    def __bool__(self) -> bool:
        return bool(self.names)

    def begin(self, name: str) -> None:
        """Open an element."""
        self.names.append(name)
        self._counts[name] += 1

    def end(self, name: str) -> None:
        """Close an element, with all that are open in it, if there is one of this name."""
        while self._counts[name]:
            last = self.names.pop()
            self._counts[last] -= 1
            if last == name:
                return

    def clear(self) -> None:
        """Close all."""
        self.names.clear()
        self._counts.clear()
