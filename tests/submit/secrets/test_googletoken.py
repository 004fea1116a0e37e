"""Configured credentials for Google are used, and never shown."""

import json
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from sitemapx.errors import FetchError, SecretError
from sitemapx.submit.secrets.google import Credentials, GoogleToken
from tests.effort import slow
from tests.engines import Google, IndexNow, private_key, service_account
from tests.loopback import Engines, Fault, Site
from tests.submit.conftest import User, pages

HOST = "https://www.example.com"
SITEMAP = f"{HOST}/sitemap.xml"
NAME = "GOOGLE_APPLICATION_CREDENTIALS"
USER = {
    "type": "authorized_user",
    "client_id": "id.apps.googleusercontent.com",
    "client_secret": "GOCSPX-hush-client",
    "refresh_token": "1//hush-refresh-token",
}
#: The lines of the key, without its public first and last lines.
LINES = private_key().splitlines()[1:-1]


class Wire:
    """A transport for tokens that records the requests, and always gives the same response."""

    def __init__(self, answer: object, status: int = 200) -> None:
        self.bodies: list[dict[str, list[str]]] = []
        self.urls: list[str] = []
        self._answer = answer if isinstance(answer, str) else json.dumps(answer)
        self._status = status

    def __call__(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout: float | None,
    ) -> tuple[int, Mapping[str, str], bytes]:
        self.urls.append(url)
        self.bodies.append(parse_qs((body or b"").decode()))
        return self._status, {}, self._answer.encode()


def token_of(value: str, *, is_path: bool = False) -> GoogleToken:
    """Return a token that uses these credentials."""
    credentials = Credentials(value, "X", is_path=is_path)
    return GoogleToken(NAME, credentials, "https://www.googleapis.com/auth/webmasters")


def refusal_of(token: GoogleToken, wire: Wire) -> str:
    """Return the message of the error when no token can be obtained."""
    with pytest.raises((SecretError, FetchError)) as caught:
        token.request_value(wire)
    error = caught.value
    # A traceback would show what google-auth says.
    assert error.__suppress_context__ or error.__context__ is None
    return str(error)


@pytest.mark.parametrize("is_path", [True, False])
def test_user_credentials_are_used(tmp_path: Path, is_path: bool) -> None:
    path = tmp_path / "user.json"
    path.write_text(json.dumps(USER))
    token = token_of(str(path) if is_path else json.dumps(USER), is_path=is_path)
    wire = Wire({"access_token": "ya29.a-token", "expires_in": 3600})
    token.request_value(wire)

    assert [[USER["refresh_token"]]] == [body["refresh_token"] for body in wire.bodies]
    assert "Bearer ya29.a-token" == token.insert_value(f"Bearer {token}")


@pytest.mark.parametrize(
    ("answer", "status", "expected"),
    [
        ("<html>hush</html>", 200, "oauth2.googleapis.com (200) returned a web page"),
        ([], 200, "oauth2.googleapis.com (200) returned JSON that is not an object"),
        ({}, 200, "oauth2.googleapis.com (200) returned a JSON object without a token"),
        ({"access_token": None}, 200, "returned a JSON object without a token"),
        ({"access_token": 7, "expires_in": 5}, 200, "returned a JSON object without a token"),
        ({"access_token": "a\nb", "expires_in": 5}, 200, "returned a JSON object without a token"),
        ("", 200, "returned no JSON"),
        ("[" * 100_000, 200, "returned no JSON"),
        ("<html>", 400, "oauth2.googleapis.com (400) returned a web page"),
        ([1], 400, "oauth2.googleapis.com (400) returned JSON that is not an object"),
        ({"error": "invalid_grant", "error_description": "Bad Request"}, 400, "invalid_grant: Bad"),
        ({"error": {"code": 400}}, 400, "a JSON object without a token"),
        ({"error": f"bad {USER['refresh_token']}"}, 401, "cannot get a token from Google: bad ***"),
        (
            {"error": "x", "error_description": b64encode(USER["client_secret"].encode()).decode()},
            *(400, "cannot get a token from Google: x: ***"),
        ),
    ],
)
def test_token_failure_has_a_reason_without_secrets(
    answer: object, status: int, expected: str
) -> None:
    reason = refusal_of(token_of(json.dumps(USER)), Wire(answer, status))

    assert expected in reason
    assert "hush" not in reason


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"private_key": "hush"}, "google-auth cannot read private_key"),
        ({"private_key": LINES[3]}, "google-auth cannot read private_key"),
        ({"private_key": ""}, "missing fields private_key"),
        ({"type": "hush"}, "invalid `type`: expected one of service_account, authorized_user"),
        ({"type": None}, "invalid `type`: expected one of service_account"),
    ],
)
def test_invalid_account_is_described_by_its_fields(change: dict[str, Any], expected: str) -> None:
    text = json.dumps(service_account("https://oauth2.googleapis.com/token") | change)
    reason = refusal_of(token_of(text), Wire({}))

    assert f"cannot use the credentials in X: {expected}" in reason
    assert not any(part in reason for part in ["hush", *LINES])


def _quoted(text: str) -> str:
    return json.dumps(text)


FORMS = {
    "base64": lambda text: b64encode(text.encode()).decode(),
    "base64, wrapped": lambda text: f"{b64encode(text.encode()).decode()[:76]}\n",
    "quoted": _quoted,
    "in single quotes": lambda text: f"'{text}'",
    "cut off": lambda text: text[:-30],
    "the key alone": lambda text: json.loads(text).get("private_key") or USER["refresh_token"],
    "a list": lambda text: f"[{text}]",
}


@pytest.mark.parametrize("name", ["google", pytest.param("google-indexing", marks=slow)])
@pytest.mark.parametrize(
    "info", [service_account("http://127.0.0.1:1/token"), USER], ids=["key", "user"]
)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_invalid_credentials_are_neither_shown_nor_kept(
    user: User, name: str, info: dict[str, str], form: Any
) -> None:
    user.write({f"{HOST}/a": "2026-01-01"})
    value = form(json.dumps(info))
    user.environment[NAME] = value
    options = ["--engine", name, "--source-url", SITEMAP, "--force", "--retries", "0"]
    dry = user("submit", "sitemap.xml", *options, "--dry-run")
    runs = [user("submit", "sitemap.xml", *options), user("submit", "history"), dry]
    kept = [path.read_bytes() for path in user.folder.rglob("*.sqlite3*")]

    assert [1, 0, 1] == [run.returncode for run in runs], runs[0].stderr
    assert NAME.encode() in runs[0].stdout
    assert f"would not be sent: cannot use the credentials in {NAME}" in dry.stderr.decode()
    secrets = [*LINES, USER["refresh_token"], USER["client_secret"], value[:60]]
    for data in [*kept, *(run.stdout + run.stderr for run in runs)]:
        squeezed = b"".join(data.split())
        assert [] == [one for one in secrets if "".join(one.split()).encode() in squeezed]


def _submit(user: User, google: Google, *options: str) -> list[dict[str, Any]]:
    user.write({f"{HOST}/a": "2026-01-01"})
    where = ["--engine", "google", "--endpoint", f"google={google.url}{google.path}"]
    return user.submit("sitemap.xml", *where, "--source-url", SITEMAP, "--force", *options)


@pytest.mark.parametrize("indent", [None, 2, "\t"])
@pytest.mark.parametrize("setting", ["", '[engines.google]\nsecret = "env:ACCOUNT"\n'])
def test_json_in_the_environment_is_used(
    user: User, google: Google, indent: int | str | None, setting: str
) -> None:
    text = json.dumps(service_account(f"{google.url}/token"), indent=indent)
    user.environment["ACCOUNT" if setting else NAME] = text
    if setting:
        del user.environment[NAME]
    (user.folder / "sitemapx.toml").write_text(setting)
    (row,) = _submit(user, google)
    (status,) = [
        json.loads(line)
        for line in user(
            *("submit", "status", HOST, "--ask", "--engine", "google", "--report", "json"),
            *("--endpoint", f"google={google.url}{google.path}", "--allow-private"),
        ).stdout.splitlines()
    ][:1]

    assert ("accepted", 204) == (row["state"], row["status"])
    assert SITEMAP in google.taken
    assert not any(line in json.dumps([row, status]) for line in LINES)


def test_configured_secret_overrides_the_environment(user: User, google: Google) -> None:
    (user.folder / "user.json").write_text('{"type": "authorized_user"}')
    (user.folder / "sitemapx.toml").write_text('[engines.google]\nsecret = "file:user.json"\n')
    (row,) = _submit(user, google)

    assert [] == google.asked
    expected = "cannot use the credentials in user.json: missing fields client_id, client_secret"
    assert expected in row["reason"]


@slow
def test_reset_token_request_is_retried(user: User, google: Google) -> None:
    google.faults = [Fault(is_reset=True), Fault(status=503)]
    (row,) = _submit(user, google, "--retries", "2")

    assert ("accepted", 204) == (row["state"], row["status"])


def test_token_request_obeys_timeout_and_budget(user: User, google: Google) -> None:
    google.faults = [Fault(delay=30.0), Fault(delay=30.0)]
    (row,) = _submit(user, google, "--timeout", "0.5", "--retries", "0")
    (other,) = _submit(user, google, "--budget", "0.5", "--retries", "5")

    assert "cannot get a token from Google: 127.0.0.1: no data received for 0.5 s" == row["reason"]
    assert "cannot get a token from Google: 127.0.0.1: no data received for 0." in other["reason"]
    assert 2 == len(google.asked)


def test_pause_of_the_token_endpoint_is_kept(user: User, google: Google) -> None:
    google.faults = [Fault(status=429, headers={"Retry-After": "3600"})]
    (row,) = _submit(user, google)
    user.write({f"{HOST}/a": "2026-01-01"})
    where = ["--engine", "google", "--endpoint", f"google={google.url}{google.path}"]
    # --force would not wait.
    options = ["--source-url", SITEMAP, "--ignore-robots", "--ignore-findings"]
    (later,) = user.submit("sitemap.xml", *where, *options)

    for one in (row, later):
        assert ("left", 0, 1) == (one["state"], one["sent"], one["left"])
        assert "run again in 60 minutes" in one["action"]
    assert "server asked for a pause because of too many requests" in later["reason"]
    assert 1 == len(google.asked)


@pytest.mark.parametrize("body", ["<html>no</html>", "[]", "{}", '"x"', ""])
def test_token_failure_does_not_stop_other_engines(
    user: User, google: Google, engines: Engines, site: Site, body: str
) -> None:
    other: IndexNow = engines(IndexNow)
    google.faults = [Fault(body=body), Fault(body=body)]
    user.write(pages(site, "a"))
    names = ["google", "google-indexing", "indexnow"]
    where = [f"--endpoint=google={google.url}", f"--endpoint=google-indexing={google.url}"]
    options = ["--source-url", f"{site.url}/sitemap.xml", "--engine", ",".join(names), *where]
    rows = user.submit("sitemap.xml", *options, "--endpoint", f"indexnow={other.url}")

    assert names == [row["engine"] for row in rows]
    assert ["left", "refused", "accepted"] == [row["state"] for row in rows]
    assert all(
        "cannot get a token from Google: 127.0.0.1 (200) returned" in row["reason"]
        for row in rows[:2]
    )
    assert [f"{site.url}/a"] == other.taken


def test_echoed_credentials_are_masked(user: User, google: Google) -> None:
    echo = json.dumps({"error": "x", "error_description": f"{LINES[1]} {LINES[2].lower()}"})
    google.faults = [Fault(status=400, body=echo)]
    (row,) = _submit(user, google)

    assert "cannot get a token from Google: x: *** ***" == row["reason"]
