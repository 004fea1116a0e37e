"""
Findings that a check hides: those in a baseline, and rules disabled for some files.

A baseline is a JSON file with the findings that existed when it was written, sorted and one per
line, so that changes are easy to review.
"""

import errno
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

import msgspec

from sitemapx.check.findings import Finding
from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import UNCHECKED
from sitemapx.convert.disk.spill import Sorter
from sitemapx.convert.sources.urlmap import SUFFIXES
from sitemapx.convert.values import urls
from sitemapx.errors import InputError
from sitemapx.optionnames import option

# ---- identity of findings, which survives moved lines and a moved project

#: Path of findings that belong to no file.
_EVERYWHERE = "."


class Identity(NamedTuple):
    """
    Key of equal findings in a baseline, with the path in the project or the URL of the file.

    It has no message, since messages contain counts and examples, which other entries change.
    """

    path: str
    code: str
    loc: str | None

    @property
    def digest(self) -> bytes:
        """SHA-256 digest of all fields."""
        from hashlib import sha256

        return sha256(msgspec.json.encode(self)).digest()


class Identities:
    """Computes the identities of findings, with paths relative to the directory `root`."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)

    def identity_of(self, finding: Finding) -> Identity:
        loc = None if RULES[finding.code].is_summary else finding.loc
        return Identity(self.path_of(finding.source), finding.code, loc)

    def path_of(self, source: str | None) -> str:
        """Return a path relative to the root ("." for None); other paths and URLs are unchanged."""
        if source is None or urls.is_absolute(source):
            return source or _EVERYWHERE
        path = os.path.realpath(source)
        inside = os.path.commonpath([path, self._root]) == self._root
        return os.path.relpath(path, self._root) if inside else source

    def is_below(self, path: str, folder: str) -> bool:
        """Return whether a path, as returned by `path_of`, is in a directory."""
        file = os.path.realpath(os.path.join(self._root, path))
        return os.path.commonpath([file, top := os.path.realpath(folder)]) == top


# ---- baselines

_VERSION = 1
#: Maximum size of findings in memory while sorting, in bytes.
_IN_MEMORY = 24 << 20
_Rows = list[tuple[str, str, str | None, int]]
_encode = msgspec.json.Encoder().encode


class _BaselineFile(msgspec.Struct):
    version: int
    findings: _Rows


class Baseline:
    """
    Known findings, read from a baseline file, that reports omit.

    Attributes:
        hidden: Number of findings hidden so far.

    Raises:
        InputError: If the file cannot be read or is not a baseline of this version.

    """

    def __init__(self, path: str) -> None:
        self._identities = Identities(os.path.dirname(path) or os.curdir)
        self._left: dict[str, Counter[bytes]] = {}
        self.hidden = 0
        try:
            with open(path, "rb") as file:
                found = msgspec.json.decode(file.read(), type=_BaselineFile)
        except OSError as error:
            hint = f"; create it with {option('write_baseline')}" * (error.errno == errno.ENOENT)
            raise InputError(f"cannot read the baseline: {error.strerror}{hint}", path) from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            message = f"not a baseline; create one with {option('write_baseline')}"
            raise InputError(message, path) from error
        if found.version != _VERSION:
            advice = f"create a new one with {option('write_baseline')}"
            message = f"unsupported version {found.version}; {advice}"
            raise InputError(message, path)
        for name, code, loc, count in found.findings:
            identity = Identity(name, code, loc)
            self._left.setdefault(name, Counter())[identity.digest[:8]] += count

    def hides(self, finding: Finding) -> bool:
        """Use up the entry of a finding and return True; False if unchecked or without an entry."""
        if finding.code in UNCHECKED:
            return False
        identity = self._identities.identity_of(finding)
        known, key = self._left.get(identity.path, Counter()), identity.digest[:8]
        if known[key] < finding.times:
            return False
        known[key] -= finding.times
        self.hidden += finding.times
        return True

    def count_resolved(self, names: set[str], root: str | None = None) -> int:
        """
        Count the findings in the baseline that no longer occur; call it after the check.

        Args:
            names: Names of the checked files; entries of other files do not count.
            root: Directory of a built site, if all of its pages were checked.

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
    """Collects findings and writes them to a baseline; `count` is the number of findings."""

    def __init__(self, path: str) -> None:
        self._identities = Identities(os.path.dirname(path) or os.curdir)
        self._sorter = Sorter(_IN_MEMORY)
        self.count = 0

    def hides(self, finding: Finding) -> bool:
        """Add a finding and return True; return False for findings about unchecked sources."""
        if finding.code in UNCHECKED:
            return False
        row = _encode((*self._identities.identity_of(finding), finding.times))
        self._sorter.add_rows([row], [row])
        self.count += finding.times
        return True

    def write(self, write: Callable[[str], object]) -> None:
        write(f'{{"version": {_VERSION}, "findings": [')
        for number, (identity, count) in enumerate(self._sum()):
            write(f"{',' if number else ''}\n{_encode((*identity, count)).decode()}")
        write("\n]}\n")

    def _sum(self) -> Iterator[tuple[Identity, int]]:
        last: Identity | None = None
        times = 0
        for row in self._sorter:
            path, code, loc, count = msgspec.json.decode(row)
            identity = Identity(path, code, loc)
            if last and identity != last:
                yield last, times
                times = 0
            last, times = identity, times + count
        if last:
            yield last, times


# ---- rules that are disabled for some files


class FileIgnores:
    """
    Codes that are ignored in some files.

    `ignores` are pairs of a glob and its codes. A glob matches file names, or paths and URLs as the
    findings name them. `**/` matches any number of directories, even none. `!` before a glob
    inverts it.
    """

    def __init__(self, ignores: Iterable[tuple[str, Collection[str]]]) -> None:
        self._ignores = list(ignores)

    def hides(self, finding: Finding) -> bool:
        return bool(self._ignores) and finding.code in self.codes(finding.source or "")

    def codes(self, source: str) -> frozenset[str]:
        names = {source, os.path.normpath(source), os.path.basename(source)}
        return frozenset().union(
            *(codes for pattern, codes in self._ignores if _matches(names, pattern))
        )


def _matches(names: Iterable[str], pattern: str) -> bool:
    if pattern.startswith("!"):
        return not _matches(names, pattern[1:])
    globs = (pattern, pattern.replace("**/", ""))
    return any(fnmatchcase(name, glob) for name in names for glob in globs)
