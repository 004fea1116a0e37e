"""Fixtures for tests of `sitemapx submit`: a user with secrets, a site, and search engines."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.engines import (
    BAIDU_TOKEN,
    BING_KEY,
    KEY,
    YANDEX_TOKEN,
    Google,
    IndexNow,
    service_account,
)
from tests.forkserver import ForkServer
from tests.loopback import Engines, Site

SECRETS = {
    "INDEXNOW_KEY": KEY,
    "BING_API_KEY": BING_KEY,
    "YANDEX_OAUTH_TOKEN": YANDEX_TOKEN,
    "BAIDU_TOKEN": BAIDU_TOKEN,
}
#: Subcommands of `submit` that send no requests.
_WITHOUT_NETWORK = {"forget", "history", "journal", "new", "status"}


class User:
    """
    A user who runs commands, with a directory, secrets and a journal of their own.

    Attributes:
        allows_private: Whether commands that send requests get `--allow-private`.

    """

    def __init__(self, fork_server: ForkServer, folder: Path, environment: dict[str, str]) -> None:
        self.allows_private = True
        self._fork_server = fork_server
        self.folder = folder
        kept = {name: value for name, value in environment.items() if "proxy" not in name.lower()}
        state = {"XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder)}
        self.environment = kept | SECRETS | state

    def __call__(self, *args: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run `sitemapx` with arguments, allowing requests to servers on loopback."""
        is_online = args[:1] == ("submit",) and not _WITHOUT_NETWORK.intersection(args[1:3])
        if self.allows_private and is_online:
            args = (*args, "--allow-private")
        return self._fork_server.run(list(map(str, args)), self.folder, self.environment, given)

    def start(
        self, *args: str, stdout: int | None = None, stderr: int | None = None
    ) -> subprocess.Popen[bytes]:
        """Start `submit sitemap.xml` in a process, and return the process."""
        command = [sys.executable, "-m", "sitemapx", "submit", "sitemap.xml", "--allow-private"]
        return subprocess.Popen(
            [*command, *args], cwd=self.folder, env=self.environment, stdout=stdout, stderr=stderr
        )

    def submit(self, *args: str | Path) -> list[dict[str, Any]]:
        """Run `submit --report json`, and return the rows of the table."""
        done = self("submit", *args, "--report", "json")
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        is_well = all(
            row["state"] == "accepted" and not row["refused"] and not row["left"] for row in rows
        )
        assert (0 if is_well else 1) == done.returncode, done.stderr.decode()
        return rows

    def query(self, sql: str, journal: str = "j.db") -> list[Any]:
        """Run an SQL statement in the journal, and return its rows."""
        with closing(sqlite3.connect(self.folder / journal)) as connection, connection:
            return connection.execute(sql).fetchall()

    def write(self, entries: dict[str, str], name: str = "sitemap.xml") -> str:
        """Write a sitemap, given URLs and their dates; return its path."""
        rows = (f"<url><loc>{u}</loc><lastmod>{d}</lastmod></url>" for u, d in entries.items())
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        (self.folder / name).write_text(f'<urlset xmlns="{space}">{"".join(rows)}</urlset>')
        return name


@pytest.fixture
def user(fork_server: ForkServer, tmp_path: Path, environment: dict[str, str]) -> User:
    (tmp_path / "home").mkdir()
    return User(fork_server, tmp_path / "home", environment)


@pytest.fixture
def site(engines: Engines) -> Site:
    served: Site = engines(Site)
    served.files = {f"/{KEY}.txt": KEY, "/robots.txt": "User-agent: *\nDisallow:\n"}
    return served


@pytest.fixture
def engine(engines: Engines, user: User) -> IndexNow:
    """Start a mock of IndexNow; write settings for it, with the journal `j.db`."""
    indexnow: IndexNow = engines(IndexNow)
    (user.folder / "sitemapx.toml").write_text(
        f'journal = "j.db"\n[engines.indexnow]\nendpoint = "{indexnow.url}"\n'
    )
    return indexnow


@pytest.fixture
def google(engines: Engines, user: User) -> Google:
    """Start a mock of Google; give the user a service account that uses the mock."""
    console: Google = engines(Google)
    path = user.folder / "account.json"
    path.write_text(json.dumps(service_account(f"{console.url}/token")))
    path.chmod(0o600)
    user.environment["GOOGLE_APPLICATION_CREDENTIALS"] = str(path)
    return console


def pages(site: Site, names: Iterable[object], date: str = "2026-01-01") -> dict[str, str]:
    """Return the URL of each page of a site, mapped to a date."""
    return {f"{site.url}/{name}": date for name in names}
