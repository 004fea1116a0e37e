"""
Web servers on loopback with scripted responses.

    server.answers["/sitemap.xml"] = Answer(b"...")
    server.answers["/busy.xml"] = [Answer(status=503), Answer(b"...")]  # the last one repeats
"""

import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

import pytest

__all__ = ["Answer", "Handler", "Serve", "Server", "reset"]


@dataclass
class Answer:
    """
    A scripted response.

    Attributes:
        body: The whole body, or pieces, after which the connection is closed.
        status: HTTP status.
        headers: Additional or replaced headers.
        is_raw: Whether the body includes status line and headers.
        is_reset: Whether the connection is reset instead of closed.
        etag: ETag of the response; a conditional request with it gets status 304.

    """

    body: bytes | Iterable[bytes] = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    is_raw: bool = False
    is_reset: bool = False
    etag: str = ""


class Server(ThreadingHTTPServer):
    """
    A web server on loopback with scripted responses.

    Attributes:
        answers: Responses by path; the response to all other paths is 404.
        requests: Requested paths, in order.
        headers: Headers of those requests.
        most_at_once: Maximum number of concurrent requests.
        url: URL of the server, without a trailing slash.

    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(
        self,
        host: str,
        latency: float,
        context: ssl.SSLContext | None,
        handler: type["Handler"] | None = None,
    ) -> None:
        super().__init__((host, 0), handler or Handler)
        self.answers: dict[str, Answer | list[Answer]] = {}
        self.requests: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self.latency = latency
        self.is_stopped = threading.Event()
        self._under_way = 0
        self._lock = threading.Lock()
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.url = f"http{'s' if context else ''}://{host}:{self.server_port}"

    def answer_to(self, path: str, headers: dict[str, str]) -> Answer:
        """Record a request and return its response."""
        with self._lock:
            self.requests.append(path)
            self.headers.append(headers)
            found = self.answers.get(path, Answer(status=404))
            if isinstance(found, list):
                found = found.pop(0) if len(found) > 1 else found[0]
        if found.etag and headers.get("If-None-Match") == found.etag:
            return Answer(status=304)
        return found

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.is_stopped.set()
            self.shutdown()
            self.server_close()
            thread.join()

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Context of handling a request until its response begins; updates `most_at_once`."""
        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that disconnect."""

    def drip(self, piece: bytes, seconds: float = 0.02) -> Iterator[bytes]:
        """Yield the same piece repeatedly until the server is stopped."""
        while not self.is_stopped.wait(seconds):
            yield piece


def reset(connection: socket.socket) -> None:
    """Reset a connection instead of closing it."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    socket.close(connection.detach())


class Handler(BaseHTTPRequestHandler):
    """
    Serves the responses of its server.

    Attributes:
        origin: Prefix of the paths in `Server.answers`.

    """

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    origin = ""

    def do_GET(self) -> None:
        server = cast(Server, self.server)
        with server.under_way():
            answer = server.answer_to(self.origin + self.path, dict(self.headers.items()))
            time.sleep(server.latency)
        if not answer.is_raw:
            self._send_head(answer)
        is_whole = isinstance(answer.body, bytes)
        for piece in [answer.body] if isinstance(answer.body, bytes) else answer.body:
            self.wfile.write(piece)
        self.close_connection = self.close_connection or answer.is_raw or not is_whole
        if answer.is_reset:
            reset(self.connection)

    def _send_head(self, answer: Answer) -> None:
        headers = dict(answer.headers)
        if answer.etag:
            headers["ETag"] = answer.etag
        if isinstance(answer.body, bytes):
            headers.setdefault("Content-Length", str(len(answer.body)))
            if headers["Content-Length"] != str(len(answer.body)):
                self.close_connection = True
        else:
            headers["Connection"] = "close"
        self.send_response(answer.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Suppress logging."""


Serve = Callable[..., Server]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return a function that starts a server, which runs until the test ends."""
    with ExitStack() as stack:

        def serve(
            host: str = "127.0.0.1",
            *,
            latency: float = 0.0,
            context: ssl.SSLContext | None = None,
        ) -> Server:
            server = Server(host, latency, context)
            stack.enter_context(server.running())
            return server

        yield serve


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve()


@pytest.fixture
def nobody() -> Iterator[str]:
    """Return a URL to which no server listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
