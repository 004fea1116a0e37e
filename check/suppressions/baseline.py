"""
The baseline of a site: findings that were there before, and are not to fail a check.

A file of JSON with a line for each finding, sorted, so that a change of it is easy to review.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from sitemapx.check.findings import Finding
from sitemapx.check.selection import UNCHECKED
from sitemapx.check.suppressions.identity import Identities, Identity
from sitemapx.convert.disk.spill import Sorter
from sitemapx.convert.sources.folder import SUFFIXES
from sitemapx.errors import InputError
from sitemapx.optionnames import option

__all__ = ["Baseline", "BaselineWriter"]

_VERSION = 1
#: So many bytes of findings are in memory while they are sorted.
_IN_MEMORY = 24 << 20
_Rows = list[tuple[str, str, str | None, str, int]]
_encode = msgspec.json.Encoder().encode


class _BaselineFile(msgspec.Struct):
    version: int
    findings: _Rows


class Baseline:
    """
    The findings of a baseline.

    Attributes:
        hidden: How many findings were hidden.

    """

    def __init__(self, path: str) -> None:
        """
        Read a baseline.

        Raises:
            InputError: If that cannot be done.

        """
        self._identities = Identities(os.path.dirname(path) or os.curdir)
        self._left: dict[str, Counter[bytes]] = {}
        self.hidden = 0
        try:
            with open(path, "rb") as file:
                found = msgspec.json.decode(file.read(), type=_BaselineFile)
        except OSError as error:
            raise InputError(f"cannot read the baseline: {error.strerror}", path) from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            message = f"not a baseline; create one with {option('write_baseline')}"
            raise InputError(message, path) from error
        if found.version != _VERSION:
            advice = f"create a new one with {option('write_baseline')}"
            message = f"unsupported version {found.version}; {advice}"
            raise InputError(message, path)
        for name, code, loc, message, count in found.findings:
            identity = Identity(name, code, loc, message)
            self._left.setdefault(name, Counter())[identity.digest[:8]] += count

    def hides(self, finding: Finding) -> bool:
        """Tell whether a finding is in the baseline, once for each time it is there."""
        if finding.code in UNCHECKED:
            return False
        identity = self._identities.of(finding)
        known, key = self._left.get(identity.path, Counter()), identity.digest[:8]
        if known[key] < finding.times:
            return False
        known[key] -= finding.times
        self.hidden += finding.times
        return True

    def gone(self, names: set[str], root: str | None = None) -> int:
        """
        Count the findings of the baseline that are no longer there.

        Args:
            names: The names of the files that were checked: of others nothing is known.
            root: The directory of a built site, of which all pages were looked at.

        """
        paths = set(map(self._identities.path_of, names))
        return sum(
            sum(known.values())
            for path, known in self._left.items()
            if path in paths or (root and self._is_page(path, root))
        )

    def _is_page(self, path: str, root: str) -> bool:
        return path.lower().endswith(SUFFIXES) and self._identities.is_below(path, root)


class BaselineWriter:
    """
    Writes a baseline.

    Attributes:
        count: How many findings are in it.

    """

    def __init__(self, path: str) -> None:
        self._identities = Identities(os.path.dirname(path) or os.curdir)
        self._sorter = Sorter(_IN_MEMORY)
        self.count = 0

    def hides(self, finding: Finding) -> bool:
        """Take a finding, unless it tells that something was not checked."""
        if finding.code in UNCHECKED:
            return False
        row = _encode((*self._identities.of(finding), finding.times))
        self._sorter.add([row], [row])
        self.count += finding.times
        return True

    def write(self, write: Callable[[str], object]) -> None:
        """Write it to a file."""
        write(f'{{"version": {_VERSION}, "findings": [')
        for number, (identity, count) in enumerate(self._summed()):
            write(f"{',' if number else ''}\n{_encode((*identity, count)).decode()}")
        write("\n]}\n")

    def _summed(self) -> Iterator[tuple[Identity, int]]:
        last: Identity | None = None
        times = 0
        for row in self._sorter:
            path, code, loc, message, count = msgspec.json.decode(row)
            identity = Identity(path, code, loc, message)
            if last and identity != last:
                yield last, times
                times = 0
            last, times = identity, times + count
        if last:
            yield last, times
