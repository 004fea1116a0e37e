"""Rules that are not looked for in some files."""

import os
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from sitemapx.check.findings import Finding

__all__ = ["FileIgnores"]


class FileIgnores:
    """Codes that are not looked for in some files."""

    def __init__(self, ignores: Iterable[tuple[str, Collection[str]]]) -> None:
        """
        Take what to ignore.

        Args:
            ignores: Globs and codes. A glob stands for names of files, for paths from here, or for
                URLs; `**/` also for no folder at all, and `!` before a glob for all other files.

        """
        self._ignores = list(ignores)

    def hides(self, finding: Finding) -> bool:
        """Tell whether a finding is to be ignored."""
        return bool(self._ignores) and finding.code in self.codes(finding.source or "")

    def codes(self, source: str) -> frozenset[str]:
        """Return the codes that are ignored in a file."""
        names = {source, os.path.normpath(source), os.path.basename(source)}
        return frozenset().union(
            *(codes for pattern, codes in self._ignores if _matches(names, pattern))
        )


def _matches(names: Iterable[str], pattern: str) -> bool:
    """Tell whether a pattern stands for a file that has these names."""
    if pattern.startswith("!"):
        return not _matches(names, pattern[1:])
    globs = (pattern, pattern.replace("**/", ""))
    return any(fnmatchcase(name, glob) for name in names for glob in globs)
