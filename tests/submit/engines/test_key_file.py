"""The location of the key file of IndexNow, and messages about the file."""

import pytest

from tests.engines import KEY, IndexNow
from tests.loopback import Engines
from tests.servers import Answer, Server
from tests.submit.conftest import User


@pytest.mark.parametrize(
    ("location", "has_warning"), [("/project/{key}.txt", True), ("/{key}.txt", False), ("", False)]
)
def test_key_file_below_a_path_limits_the_urls(
    location: str, has_warning: bool, user: User, server: Server, engines: Engines
) -> None:
    engine: IndexNow = engines(IndexNow)
    user.environment["INDEXNOW_KEY"] = KEY
    key_location = f'key-location = "{server.url}{location}"' if location else ""
    (user.folder / "sitemapx.toml").write_text(
        f'[engines.indexnow]\nendpoint = "{engine.url}"\n{key_location}\n'
    )
    path = (location or "/{key}.txt").replace("{key}", KEY)
    server.answers[path] = Answer(KEY.encode())
    (user.folder / "urls.txt").write_text(f"{server.url}/project/a\n{server.url}/b\n")
    done = user("submit", "--urls", "urls.txt", "--force")
    warning = (
        f"the key file is below a path, so it is valid only for URLs below {server.url}/project/"
    )

    assert has_warning == (f"indexnow: {warning}" in done.stderr.decode())
    assert ([f"{server.url}/project/a"] if has_warning else 2) == (
        engine.taken if has_warning else len(engine.taken)
    )


def test_new_key_below_a_path_has_a_warning(user: User) -> None:
    (user.folder / "public").mkdir()
    (user.folder / "sitemapx.toml").write_text(
        'site = "https://user.example/project/"\nroot = "public"\n'
    )
    below = user("submit", "key", "new")
    (user.folder / "sitemapx.toml").write_text('site = "https://e.example/"\nroot = "public"\n')
    at_root = user("submit", "key", "new")

    assert b"warning: https://user.example/project/ is below a path" in below.stderr
    assert b"warning" not in at_root.stderr
