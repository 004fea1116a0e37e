"""Concurrent requests to a single host."""

import time
from concurrent.futures import ThreadPoolExecutor

from sitemapx.convert.http.throttle import Host


def test_requests_are_served_in_order() -> None:
    """Out of order, a thread could wait forever."""
    host = Host(at_once=2, patience=1, delay=0, fetch_delay=lambda: 0)
    answered: list[int] = []

    def ask(number: int) -> None:
        with host.throttled():
            time.sleep(0.001)
            answered.append(number)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, range(400)))

    assert list(range(400)) == sorted(answered)
    assert max(abs(at - number) for at, number in enumerate(answered)) < 200
