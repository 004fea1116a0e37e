"""
Cache of downloads; servers send only changed ones again.

Every request is conditional, with the validators of the cached response
(https://www.rfc-editor.org/rfc/rfc9110#section-13); responses without validators are not cached. A
cache file is a line of JSON followed by the body as sent. All files may be deleted at any time.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import BinaryIO

from msgspec import MsgspecError, Struct, json

from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.disk.lock import tidy_folder
from sitemapx.convert.disk.swap import swap_in
from sitemapx.convert.streams.stream import Readable
from sitemapx.errors import InputError, OutputError

_BLOCK = 1 << 17


class _Header(Struct, omit_defaults=True):
    url: str
    etag: str | None = None
    last_modified: str | None = None


class Cache:
    """A directory of cached bodies, created if necessary."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot create directory {folder}: {error.strerror}") from error

    def conditions(self, url: str) -> dict[str, str]:
        """Return the conditional request headers for a URL; empty if the URL is not cached."""
        try:
            with open(self._path(url), "rb") as file:
                header = json.decode(file.readline(), type=_Header)
        except (OSError, MsgspecError):  # missing or damaged
            return {}
        conditions = {"If-None-Match": header.etag, "If-Modified-Since": header.last_modified}
        return {name: value for name, value in conditions.items() if value}

    def headers(self, url: str) -> Callable[[str], Sequence[str]]:
        """Return a function that returns the values of a header of the cached response."""
        modified = self.conditions(url).get("If-Modified-Since")
        return lambda name: [modified] if modified and name == "Last-Modified" else []

    def open(self, url: str) -> BinaryIO:
        try:
            file = open(self._path(url), "rb")
            file.readline()
        except OSError as error:
            raise InputError(f"{error.filename}: {error.strerror}") from error
        return file

    def keep(self, url: str, headers: Mapping[str, str], body: Readable) -> bool:
        """
        Store the body of a response; return False without storing it if it has no validators.

        If reading fails, the previously stored body is kept.
        """
        header = _Header(url, headers.get("ETag"), headers.get("Last-Modified"))
        if not (header.etag or header.last_modified):
            return False
        tidy_folder(self._folder)
        draft = FileDraft(self._path(url))
        try:
            draft.write(json.encode(header) + b"\n")
            while block := body.read(_BLOCK):
                draft.write(block)
            draft.close()
            swap_in([(draft.path, self._path(url))])
        finally:
            draft.discard()
        return True

    def _path(self, url: str) -> str:
        return os.path.join(self._folder, sha256(url.encode()).hexdigest())
