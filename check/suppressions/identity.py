"""The identity of findings: what they keep when lines move, or the project is somewhere else."""

import os
from hashlib import sha256
from typing import NamedTuple

import msgspec

from sitemapx.check.findings import Finding
from sitemapx.convert.values import urls

__all__ = ["Identities", "Identity"]

#: What stands for all files.
_EVERYWHERE = "."


class Identity(NamedTuple):
    """
    What is the same for findings that are equal.

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
        return sha256(msgspec.json.encode(self)).digest()


class Identities:
    """Tells the identity of findings in a project."""

    def __init__(self, root: str) -> None:
        """
        Take the project.

        Args:
            root: Its folder.

        """
        self._root = os.path.realpath(root)

    def of(self, finding: Finding) -> Identity:
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
