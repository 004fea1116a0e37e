"""Serves the data over HTTP on loopback, with a realistic latency, and mocks an engine."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from bench.samples.data import FOLDER, SITE

__all__ = ["KEY", "LATENCY", "serve_data"]

#: Seconds between request and response.
LATENCY = 0.02
#: Key for IndexNow.
KEY = "0123456789abcdef"


class _Handler(BaseHTTPRequestHandler):
    """Serves files of the data; indexes list files by their URLs on this server."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        path = FOLDER / self.path.lstrip("/")
        body = path.read_bytes() if path.is_file() else b""
        if path.name == f"{KEY}.txt":
            body = KEY.encode()
        if path.suffix == ".xml":
            host, folder = self.headers["Host"], Path(self.path).parent
            body = body.replace(SITE.encode(), f"http://{host}{folder}/".encode())
        time.sleep(LATENCY)
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        """Accept URLs as a search engine does, without checking them."""
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(LATENCY)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Suppress logging."""


@contextmanager
def serve_data() -> Iterator[str]:
    """Run the server within a context, and yield its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
