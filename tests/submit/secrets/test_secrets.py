"""Secrets are neither printed nor stored, and secret files that others can read are rejected."""

import json
import re
import subprocess

import pytest

from sitemapx.submit.secrets.secret import Secret, mask_secrets
from tests.engines import BAIDU_TOKEN, BING_KEY, KEY, YANDEX_TOKEN, Baidu, Bing, IndexNow, Yandex
from tests.loopback import Engine, Engines, Fault, Site
from tests.submit.conftest import User, pages

ALL = {
    "indexnow": (IndexNow, KEY),
    "bing": (Bing, BING_KEY),
    "yandex": (Yandex, YANDEX_TOKEN),
    "baidu": (Baidu, BAIDU_TOKEN),
}


@pytest.mark.parametrize("options", [[], ["--dry-run"], ["--report", "json"], ["--debug"]])
def test_no_output_or_file_has_a_secret(
    user: User, engines: Engines, site: Site, nobody: str, options: list[str]
) -> None:
    user.write(pages(site, "ab"))
    endpoints: list[str] = []
    for name, (kind, secret) in ALL.items():
        engine: Engine = engines(kind)
        tale = json.dumps({"message": f"I was told {secret}", "error_code": "X"})
        engine.faults = [Fault(status=418, body=tale) for _ in range(9)]
        endpoints += ["--endpoint", f"{name}={engine.url}"]
    where = ["--source-url", f"{site.url}/sitemap.xml", "--retries", "0"]
    chosen = ["--engine", ",".join(ALL)]
    runs = [user("submit", "sitemap.xml", *chosen, *endpoints, *where, *options)]
    dead = [option for name in ALL for option in ("--endpoint", f"{name}={nobody}")]
    runs += [user("submit", "sitemap.xml", *chosen, *dead, *where, *options)]
    runs += [
        user("submit", "history"),
        user("submit", "status"),
        user("submit", "key", "verify", site.url),
    ]
    kept = [path.read_bytes() for path in user.folder.rglob("*") if path.is_file()]

    assert [0] == [run.returncode for run in runs[4:]], runs[4].stderr
    for data in [*kept, *(run.stdout + run.stderr for run in runs)]:
        rest = data.replace(f"{site.url}/{KEY}.txt".encode(), b"")
        assert [] == [secret for _, secret in ALL.values() if secret.encode() in rest]
    assert f"key file OK: {site.url}/{KEY}.txt\n".encode() == runs[4].stderr


def test_exceptions_have_marks_instead_of_secrets() -> None:
    secret = Secret("BING_API_KEY", lambda: "hush")
    with pytest.raises(ZeroDivisionError) as caught:
        raise ZeroDivisionError(f"{secret} {secret!r} {[secret]}")

    assert "hush" not in str(caught.value)
    assert mask_secrets(f"a={secret}", [secret]) == "a=***" == mask_secrets("a=hush", [secret])


def test_marks_are_random() -> None:
    one, other = (Secret("X", lambda: "v") for _ in "ab")

    assert str(one) != str(other)
    assert re.fullmatch(r"[0-9a-f]{24}", str(one))
    assert f"{other}" == one.insert_value(f"{other}")


def _with_secret(user: User, reference: str) -> subprocess.CompletedProcess[bytes]:
    (user.folder / "sitemapx.toml").write_text(f'[engines.indexnow]\nsecret = "{reference}"\n')
    return user("submit", "sitemap.xml", "--dry-run")


def test_secret_is_read_from_variable_or_private_file(user: User, site: Site) -> None:
    user.write(pages(site, "ab"))
    del user.environment["INDEXNOW_KEY"]
    path = user.folder / "key"
    path.write_text(f"{KEY}\n")
    path.chmod(0o644)
    open_to_all = _with_secret(user, "file:key")
    path.chmod(0o600)
    own = _with_secret(user, "file:key")
    user.environment["OTHER"] = KEY
    other = _with_secret(user, "env:OTHER")
    literal = _with_secret(user, KEY)
    missing = _with_secret(user, "file:nothing")

    assert (1, 0, 0, 2, 2) == tuple(
        done.returncode for done in (open_to_all, own, other, literal, missing)
    )
    assert b"mode 644); run chmod 600 key" in open_to_all.stderr
    assert own.stdout == other.stdout
    assert b"sitemapx.toml:2: expected where the secret is" in literal.stderr
    assert KEY.encode() not in literal.stderr


def test_passwords_in_addresses_are_not_shown(user: User, site: Site) -> None:
    site.files["/sitemap.xml"] = "<urlset><url><loc>a</loc></url></urlset>"
    url = site.url.replace("://", "://me:hush@")
    refused = user("submit", f"{url}/sitemap.xml", "--allow-private")
    endpoint = user("submit", "--urls", "-", "--endpoint", f"indexnow={url}")

    assert (1, 2) == (refused.returncode, endpoint.returncode)
    assert f"see `sitemapx check {site.url}/sitemap.xml" in refused.stderr.decode()
    assert b"an endpoint must not contain a user name or password" in endpoint.stderr
    assert b"hush" not in refused.stderr + endpoint.stderr


def test_passwords_of_sources_are_not_shown(user: User, engines: Engines, site: Site) -> None:
    engine: IndexNow = engines(IndexNow)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    site.files["/empty.xml"] = f'<urlset xmlns="{space}"></urlset>'
    site.files["/s.xml"] = f'<urlset xmlns="{space}"><url><loc>{site.url}/a</loc></url></urlset>'
    site.files["/robots.txt"] = f"Sitemap: {site.url}/s.xml\n"
    url = site.url.replace("://", "://me:hush@")
    where = ["--endpoint", f"indexnow={engine.url}", "--engine", "indexnow", "--ignore-findings"]
    done = user("submit", f"{url}/empty.xml", f"{url}/s.xml", *where)
    whole = user("submit", url, *where)
    unknown = user("submit", "forget", "--source", f"{url}/other.xml")
    forgotten = user("submit", "forget", "--source", f"{url}/s.xml")

    runs = (done, whole, unknown, forgotten)
    assert [0, 0, 2, 0] == [run.returncode for run in runs], [run.stderr for run in runs]
    assert "no URLs, so nothing counts as removed" in done.stderr.decode()
    assert f"{site.url}/robots.txt lists {site.url}/s.xml" in whole.stderr.decode()
    assert f"unknown source '{site.url}/other.xml'" in unknown.stderr.decode()
    assert not any(b"hush" in run.stdout + run.stderr for run in runs)
    assert any("authorization" in one.headers for one in site.asked)


def test_secret_is_read_from_keyring(user: User, site: Site) -> None:
    user.write(pages(site, "ab"))
    (user.folder / "fake.py").write_text(
        "from keyring.backend import KeyringBackend\n"
        "class Keyring(KeyringBackend):\n"
        "    priority = 1\n"
        "    set_password = None\n"
        "    def get_password(self, service, username):\n"
        f"        return {KEY!r} if (service, username) == ('sitemapx', 'indexnow') else None\n"
    )
    user.environment |= {"PYTHON_KEYRING_BACKEND": "fake.Keyring", "PYTHONPATH": str(user.folder)}
    found = _with_secret(user, "keyring:sitemapx/indexnow")
    missing = _with_secret(user, "keyring:sitemapx/other")

    assert (0, 2) == (found.returncode, missing.returncode), found.stderr
    assert b"keyring:sitemapx/other is empty or not set" in missing.stderr
