"""
Servers on loopback that record requests and can inject faults.

    engine = engines(IndexNow)              # runs until the test ends
    engine.faults = [Fault(status=429)]     # precedes the engine's own checks
    engine.taken                            # accepted URLs, in order
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.servers import reset

__all__ = ["Answered", "Asked", "Engine", "Engines", "Fault", "Site", "engines"]


@dataclass
class Asked:
    """A request: path with query, headers with lower-case names, and body."""

    method: str
    path: str
    headers: dict[str, str]
    body: str

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.path).query))

    @property
    def place(self) -> str:
        return urlsplit(self.path).path


@dataclass
class Answered:
    """
    A response.

    Content-Length exceeds the body by `cut` bytes. `hang` and `delay` are seconds; the response
    also waits for the event `when`. With `drip`, bytes are sent one at a time at this interval in
    seconds, and counted in `dripped`.
    """

    status: int = 200
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0
    hang: float = 0.0
    delay: float = 0.0
    when: threading.Event | None = None
    is_reset: bool = False
    drip: float = 0.0
    dripped: int = 0


class Fault(Answered):
    """
    A faulty response.

    It replaces the response of the engine, which ignores the request or, with `after`, processes
    it first.
    """

    def __init__(self, *, after: bool = False, **answer: Any) -> None:
        super().__init__(**answer)
        self.after = after


class Engine(ThreadingHTTPServer):
    """
    Base class of mock search engines; a server that runs on loopback.

    Attributes:
        asked: All requests, in order.
        taken: Accepted URLs, in order.
        faults: Responses to the next requests that change something.
        read_faults: Responses to the next requests that only read.

    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    path = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[Asked] = []
        self.taken: list[str] = []
        self.faults: list[Fault] = []
        self.read_faults: list[Fault] = []
        self.lock = threading.Lock()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def posts(self) -> list[Asked]:
        """Return the requests that change something."""
        return [one for one in self.asked if one.method in ("POST", "PUT")]

    def answer(self, asked: Asked) -> Answered:
        raise NotImplementedError

    def respond(self, asked: Asked) -> Answered:
        """Record a request; return the response of `answer`, or the next fault."""
        with self.lock:
            self.asked.append(asked)
            faults = self.read_faults if asked.method in ("GET", "HEAD") else self.faults
            if not faults:
                return self.answer(asked)
            fault = faults.pop(0)
            if fault.after:
                self.answer(asked)
            return fault

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that disconnect."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _respond(self) -> None:
        server = cast(Engine, self.server)
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.command in ("POST", "PUT") and "content-length" not in headers:
            answered = Answered(411)
            body = ""
        else:
            body = self.rfile.read(int(headers.get("content-length", "0"))).decode()
            answered = server.respond(Asked(self.command, self.path, headers, body))
        time.sleep(answered.delay)
        if answered.when:
            answered.when.wait()
        if answered.is_reset:
            reset(self.connection)
            self.close_connection = True
            return
        data = answered.body.encode()
        self.send_response(answered.status)
        for name, value in answered.headers.items():
            self.send_header(name, value)
        if answered.status != 204:
            self.send_header("Content-Length", str(len(data) + answered.cut))
        self.end_headers()
        while answered.drip and answered.dripped < len(data):
            self.wfile.write(data[answered.dripped : answered.dripped + 1])
            answered.dripped += 1
            time.sleep(answered.drip)
        if self.command != "HEAD" and not answered.drip:
            self.wfile.write(data)
        if answered.cut:
            time.sleep(answered.hang)
            self.close_connection = True

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("do_"):
            raise AttributeError(name)
        return self._respond

    def log_message(self, format: str, *args: object) -> None:
        """Suppress logging."""


class Site(Engine):
    """A website in memory; `busy` has responses that replace files."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str] = {}
        self.statuses: dict[str, int] = {}
        self.headers: dict[str, str] = {}
        self.busy: dict[str, Answered] = {}

    def answer(self, asked: Asked) -> Answered:
        if asked.place in self.busy:
            return self.busy[asked.place]
        if asked.place not in self.files:
            return Answered(404, "not found")
        status = self.statuses.get(asked.place, 200)
        return Answered(status, self.files[asked.place], dict(self.headers))


Engines = Callable[..., Any]


@pytest.fixture
def engines() -> Iterator[Engines]:
    """Return a function that starts an engine, which runs until the test ends."""
    with ExitStack() as stack:

        def start(kind: type[Engine]) -> Engine:
            engine = kind()
            thread = threading.Thread(target=engine.serve_forever, args=(0.01,), daemon=True)
            thread.start()
            stack.callback(thread.join)
            stack.callback(engine.server_close)
            stack.callback(engine.shutdown)
            return engine

        yield start
