"""
Findings that a check hides: those of a baseline, and rules that are disabled for some files.

A baseline is a JSON file with the findings that existed when it was written, one in each line and
sorted, so that changes are easy to review.
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

import msgspec

from sitemapx.check.findings import Finding
from sitemapx.check.selection import UNCHECKED
from sitemapx.convert.disk.spill import Sorter
from sitemapx.convert.sources.urlmap import SUFFIXES
from sitemapx.convert.values import urls
from sitemapx.errors import InputError
from sitemapx.optionnames import option

# ---- identity of findings, which survives moved lines and a moved project

#: Pattern for all files.
_EVERYWHERE = "."


class Identity(NamedTuple):
    """
    Key under which equal findings are stored.

    Attributes:
        path: The file in the project, or the URL.

    """

    path: str
    code: str
    loc: str | None
    message: str

    @property
    def digest(self) -> bytes:
        """A digest of 32 bytes."""
        from hashlib import sha256

        return sha256(msgspec.json.encode(self)).digest()


class Identities:
    """
    Computes the identity of findings in a project.

    Args:
        root: Its folder.

    """

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)

    def identity_of(self, finding: Finding) -> Identity:
        """Return the identity of a finding."""
        path = self.path_of(finding.source)
        return Identity(path, finding.code, finding.loc, finding.message)

    def path_of(self, source: str | None) -> str:
        """Return the path of a file in the project; other sources keep their names."""
        if source is None or urls.is_absolute(source):
            return source or _EVERYWHERE
        path = os.path.realpath(source)
        inside = os.path.commonpath([path, self._root]) == self._root
        return os.path.relpath(path, self._root) if inside else source

    def is_below(self, path: str, folder: str) -> bool:
        """Return whether a path, as `path_of` returns it, lies in a directory."""
        file = os.path.realpath(os.path.join(self._root, path))
        return os.path.commonpath([file, top := os.path.realpath(folder)]) == top


# ---- baselines

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

    Raises:
        InputError: If that cannot be done.

    """

    def __init__(self, path: str) -> None:
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
        identity = self._identities.identity_of(finding)
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
        row = _encode((*self._identities.identity_of(finding), finding.times))
        self._sorter.add_rows([row], [row])
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


# ---- rules that are disabled for some files


class FileIgnores:
    """
    Codes that are not looked for in some files.

    Args:
        ignores: Globs and codes. A glob stands for names of files, for paths from here, or for
            URLs; `**/` also for no folder at all, and `!` before a glob for all other files.

    """

    def __init__(self, ignores: Iterable[tuple[str, Collection[str]]]) -> None:
        self._ignores = list(ignores)

    def hides(self, finding: Finding) -> bool:
        return bool(self._ignores) and finding.code in self.codes(finding.source or "")

    def codes(self, source: str) -> frozenset[str]:
        """Return the codes that are ignored in a file."""
        names = {source, os.path.normpath(source), os.path.basename(source)}
        return frozenset().union(
            *(codes for pattern, codes in self._ignores if _matches(names, pattern))
        )


def _matches(names: Iterable[str], pattern: str) -> bool:
    """Return whether a pattern matches a file that has these names."""
    if pattern.startswith("!"):
        return not _matches(names, pattern[1:])
    globs = (pattern, pattern.replace("**/", ""))
    return any(fnmatchcase(name, glob) for name in names for glob in globs)
