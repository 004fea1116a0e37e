"""Ctrl-C or SIGTERM while a response is being received."""

import os
import signal
import subprocess
import threading

import pytest

from sitemapx.submit.submission import Interrupts
from tests.conftest import PATIENCE
from tests.engines import IndexNow
from tests.loopback import Engines, Fault, Site
from tests.submit.conftest import User, pages
from tests.waiting import wait_until


def _interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_interrupt_is_delayed() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM)]
    interrupts = Interrupts()
    with interrupts.defer():
        _interrupt()

    assert signal.SIGINT == interrupts.requested
    assert before == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM)]


def test_long_delay_is_interrupted() -> None:
    def wait() -> None:
        with Interrupts().defer():
            _interrupt()
            threading.Event().wait(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        wait()


def test_second_interrupt_is_immediate() -> None:
    def insist() -> None:
        with Interrupts().defer():
            _interrupt()
            _interrupt()

    with pytest.raises(KeyboardInterrupt):
        insist()


def test_handler_of_a_caller_is_kept() -> None:
    seen: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with Interrupts().defer():
            _interrupt()
    finally:
        signal.signal(signal.SIGINT, usual)

    assert [signal.SIGINT] == seen


@pytest.mark.parametrize(
    ("number", "message"),
    [(signal.SIGINT, "sitemapx: interrupted\n"), (signal.SIGTERM, "sitemapx: terminated\n")],
)
@pytest.mark.parametrize("is_answered", [True, False])
def test_arriving_response_is_recorded(
    user: User,
    engines: Engines,
    site: Site,
    *,
    number: signal.Signals,
    message: str,
    is_answered: bool,
) -> None:
    engine: IndexNow = engines(IndexNow)
    settings = f'journal = "j.db"\n[engines.indexnow]\nendpoint = "{engine.url}"\nbatch = 1\n'
    (user.folder / "sitemapx.toml").write_text(settings)
    user.write(pages(site, "ab"))
    answer = threading.Event()
    engine.faults = [Fault(after=True, when=answer)]
    pipe = subprocess.PIPE
    run = user.start(stdout=pipe, stderr=pipe)
    wait_until(engine.posts, run)
    run.send_signal(number)
    if is_answered:
        answer.set()
    out, err = run.communicate(timeout=PATIENCE)
    answer.set()
    first = list(engine.taken)
    user.submit("sitemap.xml")

    assert (128 + number, [f"{site.url}/a"]) == (run.returncode, first)
    assert message in err.decode()
    assert (b"interrupted" in out) == is_answered
    assert [f"{site.url}/a"] * (not is_answered) + [*pages(site, "ab")] == engine.taken
