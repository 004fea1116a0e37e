"""`submit --wait` and `--after`: nothing is sent before the site serves the built files."""

import gzip
from pathlib import Path

import pytest

from tests.effort import slow
from tests.engines import KEY, IndexNow
from tests.loopback import Engines
from tests.servers import Answer, Server
from tests.submit.conftest import User

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
MISSING = Answer(status=404)


@pytest.fixture
def engine(user: User, engines: Engines) -> IndexNow:
    found: IndexNow = engines(IndexNow)
    text = f'[submit]\nallow-private = true\n[engines.indexnow]\nendpoint = "{found.url}"\n'
    (user.folder / "sitemapx.toml").write_text(text)
    user.environment["INDEXNOW_KEY"] = KEY
    return found


def _build_site(user: User, server: Server) -> Path:
    """Build an index and a sitemap, which the server does not serve yet, unlike their page."""
    folder = user.folder / "public"
    folder.mkdir()
    page, child = f"{server.url}/a", f"{server.url}/sitemap-1.xml"
    (folder / "sitemap-1.xml").write_text(f"<urlset {SPACE}><url><loc>{page}</loc></url></urlset>")
    listed = f"<sitemapindex {SPACE}><sitemap><loc>{child}</loc></sitemap></sitemapindex>"
    (folder / "sitemap.xml").write_text(listed)
    server.answers["/a"] = Answer(b"<title>A</title>")
    return folder


def _submit(user: User, server: Server, *options: str) -> tuple[int, str]:
    url = f"{server.url}/sitemap.xml"
    done = user("submit", "public/sitemap.xml", "--source-url", url, *options)
    return done.returncode, done.stderr.decode()


@slow
def test_files_and_key_are_awaited_before_sending(
    user: User, server: Server, engine: IndexNow
) -> None:
    folder = _build_site(user, server)
    index, child = ((folder / name).read_bytes() for name in ("sitemap.xml", "sitemap-1.xml"))
    packed = Answer(gzip.compress(child), headers={"Content-Encoding": "gzip"})
    server.answers["/sitemap.xml"] = [MISSING, Answer(b"<old/>"), Answer(index)]
    server.answers["/sitemap-1.xml"] = [Answer(status=503), packed]
    server.answers[f"/{KEY}.txt"] = [Answer(b"other"), Answer(KEY.encode())]
    status, err = _submit(user, server, "--wait", "60s")
    asked = [path for path in server.requests if path.startswith(("/sitemap", f"/{KEY}"))]

    assert 0 == status, err
    assert [f"{server.url}/a"] == engine.taken
    assert "waiting for the deployment: " in err
    assert ["/sitemap.xml"] * 3 + ["/sitemap-1.xml"] * 2 + [f"/{KEY}.txt"] * 2 == asked[:7]


def test_timeout_names_the_missing_file(user: User, server: Server, engine: IndexNow) -> None:
    _build_site(user, server)
    server.answers["/sitemap.xml"] = Answer(b"<old/>")
    status, err = _submit(user, server, "--wait", "1s")

    assert 1 == status
    assert [] == engine.taken
    expected = f"nothing was sent: {server.url}/sitemap.xml differs from public/sitemap.xml"
    assert f"sitemapx: error: {expected} (waited 1 s); check the deployment" in err
    assert "Traceback" not in err


def test_named_page_is_awaited(user: User, server: Server, engine: IndexNow) -> None:
    _build_site(user, server)
    server.answers["/sitemap.xml"] = server.answers["/sitemap-1.xml"] = Answer(b"x")
    server.answers[f"/{KEY}.txt"] = Answer(KEY.encode())
    server.answers["/version"] = [MISSING, Answer(b"2")]
    after = ("--after", f"{server.url}/version")
    dry = _submit(user, server, *after, "--dry-run")
    asked = server.requests.count("/version")
    status, err = _submit(user, server, *after)

    assert (0, 0) == (dry[0], asked)
    assert "would wait at most 600 s until 1 URL serves what was built" in dry[1]
    assert (0, 2) == (status, server.requests.count("/version")), err
    assert [f"{server.url}/a"] == engine.taken


def test_sitemap_with_errors_is_rejected_at_once(
    user: User, server: Server, engine: IndexNow
) -> None:
    folder = _build_site(user, server)
    (folder / "sitemap-1.xml").write_text(f"<urlset {SPACE}><url><loc>/a</loc></url></urlset>x")
    status, err = _submit(user, server, "--wait", "1h")

    assert 1 == status
    assert "nothing was sent: the sitemap set has errors" in err


def test_wait_needs_built_files_and_a_duration(
    user: User, server: Server, engine: IndexNow
) -> None:
    server.answers["/sitemap.xml"] = Answer(
        f"<urlset {SPACE}><url><loc>{server.url}/a</loc></url></urlset>".encode()
    )
    fetched = user("submit", f"{server.url}/sitemap.xml", "--wait", "10m")
    soon = user("submit", "sitemap.xml", "--wait", "soon")

    assert (2, 2) == (fetched.returncode, soon.returncode)
    assert (
        b"--wait compares built files with what the site serves: pass the files" in fetched.stderr
    )
    assert b"'soon' is not a duration: expected e.g. 90s, 10m or 1h" in soon.stderr
    assert [] == engine.taken


def test_wait_limits_after(user: User, server: Server, engine: IndexNow) -> None:
    server.answers["/sitemap.xml"] = Answer(
        f"<urlset {SPACE}><url><loc>{server.url}/a</loc></url></urlset>".encode()
    )
    options = ("--after", f"{server.url}/none", "--wait", "1s")
    fetched = user("submit", f"{server.url}/sitemap.xml", *options)
    (user.folder / "urls.txt").write_text(f"{server.url}/a\n")
    listed = user("submit", "--urls", "urls.txt", *options)

    for done in (fetched, listed):
        assert 1 == done.returncode
        assert b"/none: 404 Not Found (waited 1 s)" in done.stderr


@slow
@pytest.mark.parametrize("fault", [Answer(is_raw=True), Answer(status=429)], ids=["silence", "429"])
def test_failing_server_is_polled_until_it_responds(
    user: User, server: Server, engine: IndexNow, fault: Answer
) -> None:
    folder = _build_site(user, server)
    index, child = ((folder / name).read_bytes() for name in ("sitemap.xml", "sitemap-1.xml"))
    server.answers["/version"] = [*[fault] * 5, Answer(b"2")]
    server.answers["/sitemap.xml"] = Answer(index)
    server.answers["/sitemap-1.xml"] = Answer(child)
    server.answers[f"/{KEY}.txt"] = Answer(KEY.encode())
    status, err = _submit(user, server, "--after", f"{server.url}/version", "--wait", "10m")

    assert (0, 6) == (status, server.requests.count("/version")), err
    assert [f"{server.url}/a"] == engine.taken


def test_long_pause_does_not_prolong_the_wait(user: User, server: Server, engine: IndexNow) -> None:
    _build_site(user, server)
    busy = Answer(status=503, headers={"Retry-After": "50"})
    server.answers["/sitemap.xml"] = busy
    status, err = _submit(user, server, "--wait", "1s")

    assert (1, 2) == (status, server.requests.count("/sitemap.xml"))
    assert "503 Service Unavailable (waited 1 s)" in err


@pytest.mark.parametrize("options", [["--wait", "1h"], ["--after", "{0}/version", "--wait", "1h"]])
def test_private_address_is_not_awaited(
    user: User, server: Server, engine: IndexNow, options: list[str]
) -> None:
    _build_site(user, server)
    path = user.folder / "sitemapx.toml"
    path.write_text(path.read_text().replace("allow-private = true", ""))
    user.allows_private = False
    wait = [option.format(server.url) for option in options]
    status, err = _submit(user, server, *wait, "--ignore-findings")

    assert (1, []) == (status, server.requests)
    assert "nothing was sent: http" in err
    assert "is a private address; allow this with --allow-private" in err


@slow
def test_endless_page_is_not_awaited(user: User, server: Server, engine: IndexNow) -> None:
    _build_site(user, server)
    server.answers["/slow"] = Answer(server.drip(b"x"))
    status, err = _submit(user, server, "--after", f"{server.url}/slow", "--wait", "2s")

    assert 1 == status
    assert "nothing was sent" in err
