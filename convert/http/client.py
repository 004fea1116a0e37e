"""Send single HTTP requests with the package `requests`."""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from typing import BinaryIO, NamedTuple
from urllib.parse import urljoin

from msgspec import MsgspecError, Struct, json
from requests import PreparedRequest, Request, Response

from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.disk.lock import tidy_folder
from sitemapx.convert.disk.swap import swap_in
from sitemapx.convert.http.adapter import Session
from sitemapx.convert.http.errors import error_of, fetch_errors, is_busy, retry_after, server_time
from sitemapx.convert.http.settings import FetchSettings
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.gzip import Gunzip
from sitemapx.convert.streams.stream import Opened, Readable, read_start
from sitemapx.errors import FetchError, InputError, NotRequestedError, OutputError
from sitemapx.optionnames import option

_BLOCK = 1 << 17
#: Encodings that are never requested.
_OTHER_CODINGS = frozenset({"br", "compress", "deflate", "zstd"})


class Probe(NamedTuple):
    """
    Response to a request whose body is read only in part.

    Attributes:
        target: Absolute target of a redirect; None for other responses.
        headers: Function that takes the name of a header and returns its values.
        start: Beginning of the decompressed body.

    """

    status: int
    target: str | None
    headers: Callable[[str], Sequence[str]]
    start: bytes = b""


class PreparedUrl(NamedTuple):
    url: str
    request: PreparedRequest


class Client:
    """Sends single requests; does not retry, throttle or follow redirects. Thread-safe."""

    def __init__(self, settings: FetchSettings) -> None:
        self._settings = settings
        self._session = Session(settings)
        self._cache = Cache(settings.cache) if settings.cache else None
        self._lock = threading.Lock()
        self._size = 0

    def close(self) -> None:
        self._session.close()

    def without_user(self, url: str) -> str:
        try:
            return self._session.without_user(url)
        except ValueError as error:
            raise InputError("not a URL", url) from error

    def request(self, url: str, *, is_cached: bool = False) -> PreparedUrl:
        """
        Prepare a GET request; done in advance, as preparing takes CPU time.

        With `is_cached`, the request is conditional if the body is in the cache.
        """
        conditions = self._cache.conditions(url) if self._cache and is_cached else {}
        with fetch_errors(self._settings.timeout):
            return PreparedUrl(url, self._session.prepare_request(Request("GET", url, conditions)))

    def fetch(self, prepared: PreparedUrl, name: str) -> Opened | str:
        """Send a request; return the body, named `name` in messages, or a redirect's target."""
        response = self._send(prepared)
        try:
            if (target := self._target(response, prepared.url)) is None:
                return self._open_body(response, name, prepared.url)
        except BaseException:
            response.close()
            raise
        response.close()
        return target

    def probe(self, prepared: PreparedUrl, wanted: Callable[[str], int]) -> Probe:
        """
        Send a request, and read the beginning of the body, except of a redirect.

        `wanted` takes the `Content-Type` and returns the number of bytes to read.
        """
        with closing(self._send(prepared)) as response:
            status, headers = response.status_code, response.raw.headers.getlist
            if (target := self._target(response, prepared.url)) is not None:
                return Probe(status, target, headers)
            if status // 100 != 2:
                raise error_of(response, self._settings.max_wait)
            size = wanted(response.headers.get("Content-Type", ""))
            return Probe(status, None, headers, self._start(response, prepared.url, size))

    def _send(self, prepared: PreparedUrl) -> Response:
        self.count_bytes(0)
        settings, session, url = self._settings, self._session, prepared.url
        if reason := settings.paused(url):
            raise NotRequestedError(reason)
        with fetch_errors(settings.timeout):
            environment = session.merge_environment_settings(url, {}, True, None, None)
            response = session.send(prepared.request, timeout=settings.timeout, **environment)
        if is_busy(response) and (seconds := retry_after(response)):
            settings.on_pause(url, seconds, server_time(response.headers))
        return response

    def _target(self, response: Response, url: str) -> str | None:
        with fetch_errors(self._settings.timeout):
            target = self._session.get_redirect_target(response)
            return None if target is None else self._session.without_user(urljoin(url, target))

    def _start(self, response: Response, url: str, size: int) -> bytes:
        """Read and decompress the beginning of a body; empty if its encoding was not requested."""
        coding = response.headers.get("Content-Encoding", "").strip().lower()
        if not size or coding in _OTHER_CODINGS:
            return b""
        body = _Body(response, url, self, self._settings)
        is_packed = coding in ("gzip", "x-gzip")
        return read_start(Gunzip(body, Reporter()) if is_packed else body, size)

    def _open_body(self, response: Response, name: str, url: str) -> Opened:
        cache, status = self._cache, response.status_code
        if status == 304 and cache:
            _ = response.content  # reading the empty body releases the connection
        elif status // 100 != 2:
            raise error_of(response, self._settings.max_wait)
        else:
            body, headers = _Body(response, name, self, self._settings), response.raw.headers
            if not (cache and cache.keep(url, response.headers, body)):
                return Opened(body, name, url, response.close, headers.getlist)
            file = cache.open(url)
            return Opened(file, name, url, file.close, headers.getlist)
        file = cache.open(url)
        return Opened(file, name, url, file.close, cache.headers(url))

    @property
    def is_spent(self) -> bool:
        return self._size > self._settings.max_total

    def count_bytes(self, size: int) -> None:
        with self._lock:
            self._size += size
        if self.is_spent:
            limit = self._settings.max_total
            raise NotRequestedError(
                f"total download size exceeds {limit:,} bytes; "
                f"raise the limit with {option('max_total')}"
            )


class _Body:
    """Stream of the body of a response, as sent; enforces the limits of size and time."""

    def __init__(
        self, response: Response, name: str, client: Client, settings: FetchSettings
    ) -> None:
        self._raw = response.raw
        self._name = name
        self._status = response.status_code
        self._client = client
        self._settings = settings
        self._size = 0
        self._started = time.monotonic()
        coding = response.headers.get("Content-Encoding", "").strip().lower()
        if coding in _OTHER_CODINGS:
            message = f"unsupported Content-Encoding {coding}: only gzip was requested"
            raise FetchError(message, status=self._status)
        length = response.headers.get("Content-Length", "")
        if length.isdecimal():
            self._check_size(int(length))

    def read(self, size: int = -1, /) -> bytes:
        if size < 0:
            return b"".join(iter(lambda: self.read(_BLOCK), b""))
        settings = self._settings
        try:
            with fetch_errors(settings.timeout):
                data: bytes = self._raw.read1(size, decode_content=False)
            if time.monotonic() - self._started > settings.max_time:
                reason = f"download took longer than {settings.max_time:g} s"
                raise FetchError(reason, advice=f"raise the limit with {option('max_time')}")
            self._size += len(data)
            self._check_size(self._size)
            self._client.count_bytes(len(data))
        except FetchError as error:
            error.source, error.status = self._name, self._status
            raise
        return data

    def _check_size(self, size: int) -> None:
        limit = self._settings.max_size
        if size > limit:
            reason = f"larger than {limit:,} bytes"
            raise FetchError(
                reason, advice=f"raise the limit with {option('max_size')}", status=self._status
            )


# ---- cache of downloads; servers send only changed ones again


class _Header(Struct, omit_defaults=True):
    url: str
    etag: str | None = None
    last_modified: str | None = None


class Cache:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot create directory {folder}: {error.strerror}") from error

    def conditions(self, url: str) -> dict[str, str]:
        """Return the headers of a conditional request; empty if the URL is not cached."""
        try:
            with open(self._path(url), "rb") as file:
                header = json.decode(file.readline(), type=_Header)
        except (OSError, MsgspecError):  # missing or damaged
            return {}
        conditions = {"If-None-Match": header.etag, "If-Modified-Since": header.last_modified}
        return {name: value for name, value in conditions.items() if value}

    def headers(self, url: str) -> Callable[[str], Sequence[str]]:
        """Return a function that gets header values by name; only Last-Modified is available."""
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
        Store the body of a response; without validators, return False and do not read the body.

        Validators are `ETag` and `Last-Modified`. If reading fails, an earlier stored body is kept.
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
