"""A local server of S3 for tests of storage."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import URLError
from urllib.request import urlopen

__all__ = ["KEYS", "s3_server"]

#: Credentials that the server accepts, as arguments of boto3.
KEYS = {"aws_access_key_id": "a", "aws_secret_access_key": "b"}
#: Matches the message with the port that the server has chosen.
_SERVER = """
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
input()
"""


@contextmanager
def s3_server() -> Iterator[str]:
    """Start the server and yield its URL."""
    with subprocess.Popen(
        [sys.executable, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        url = f"http://127.0.0.1:{int(process.stdout.readline())}"
        _wait_for(url)
        yield url
        process.terminate()


def _wait_for(url: str) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            urlopen(url, timeout=5).close()
        except URLError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(url)
