"""Download URLs in background threads."""

from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import TYPE_CHECKING

from sitemapx.convert.streams.stream import Opened

if TYPE_CHECKING:
    from sitemapx.convert.http.fetcher import Fetcher


#: Seconds between two calls of `tick`.
_TICK = 0.2


class Download(Thread):
    """A download that starts at once, in a daemon thread, which does not delay interrupts."""

    def __init__(self, fetcher: "Fetcher", url: str) -> None:
        super().__init__(daemon=True)
        self._fetcher = fetcher
        self._url = url
        self._opened: Opened | None = None
        self._error: BaseException | None = None
        self._is_wanted = True
        self._context = copy_context()  # messages name options as in the caller's context
        self.start()

    def run(self) -> None:
        try:
            self._opened = self._context.run(self._fetcher.spool, self._url)
        except BaseException as error:  # noqa: BLE001  # re-raised by `result`
            self._error = error
        if not self._is_wanted:
            self.discard()

    def result(self, tick: Callable[[], object]) -> Opened:
        """Wait for the download, calling `tick` repeatedly; return the body or raise the error."""
        while self.is_alive():
            self.join(_TICK)
            tick()
        if self._error:
            raise self._error
        assert self._opened is not None
        return self._opened

    def discard(self) -> None:
        """Close the body as soon as the download is complete."""
        self._is_wanted = False
        if self._opened:
            self._opened.close()
