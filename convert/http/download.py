"""Downloads under way, while something else is read."""

from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import TYPE_CHECKING

from sitemapx.convert.streams.stream import Opened

if TYPE_CHECKING:
    from sitemapx.convert.http.fetcher import Fetcher


#: How often a wait is told, in seconds.
_TICK = 0.2


class Download(Thread):
    """
    A download that has begun.

    Threads are daemons: whoever interrupts a run is not to wait for the network.
    """

    def __init__(self, fetcher: "Fetcher", url: str) -> None:
        super().__init__(daemon=True)
        self._fetcher = fetcher
        self._url = url
        self._opened: Opened | None = None
        self._error: BaseException | None = None
        self._is_wanted = True
        self._context = copy_context()  # in which messages name options as in that of the caller
        self.start()

    def run(self) -> None:
        """Download; what the thread of the caller has to know is told by `result`."""
        try:
            self._opened = self._context.run(self._fetcher.spool, self._url)
        except BaseException as error:  # noqa: BLE001  # raised again where it is asked for
            self._error = error
        if not self._is_wanted:
            self.discard()

    def result(self, tick: Callable[[], object]) -> Opened:
        """
        Wait for the end, and open what came.

        Args:
            tick: Called again and again in the meantime.

        Raises:
            FetchError: If it could not be fetched.

        """
        while self.is_alive():
            self.join(_TICK)
            tick()
        if self._error:
            raise self._error
        assert self._opened is not None
        return self._opened

    def discard(self) -> None:
        """Forget what came, or is still to come."""
        self._is_wanted = False
        if self._opened:
            self._opened.close()
