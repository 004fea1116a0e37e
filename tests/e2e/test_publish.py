"""`sitemapx publish` either publishes and submits everything, or changes nothing."""

import json
import os
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from sitemapx.cli.terminal.console import Console
from sitemapx.convert import Opener, UrlMap, target_of
from sitemapx.convert.outputs.stage import Stage
from sitemapx.errors import InputError
from tests.effort import slow
from tests.engines import KEY, IndexNow
from tests.loopback import Engines, Fault, Site
from tests.submit.conftest import User, site, user

__all__ = ["site", "user"]  # fixtures

SETTINGS = """\
site = "{site}/"
root = "public"
sitemaps = ["public/sitemap.xml"]
robots = "public/robots.txt"
journal = "j.db"

[convert]
sources = ["urls.txt"]
output = "public/sitemap.xml"
base-url = "{site}/"
max-urls = 10

[check]
fail-on = "warning"
ignore = ["loc-local"]

[submit]
allow-private = true

[engines.indexnow]
endpoint = "{engine}"
"""


@pytest.fixture
def engine(engines: Engines) -> IndexNow:
    found: IndexNow = engines(IndexNow)
    return found


@pytest.fixture
def public(user: User, site: Site, engine: IndexNow) -> Path:
    settings = SETTINGS.format(site=site.url, engine=engine.url)
    (user.folder / "sitemapx.toml").write_text(settings)
    (user.folder / "public").mkdir()
    return user.folder / "public"


def _list(user: User, site: Site, count: int) -> list[str]:
    urls = [f"{site.url}/{number}" for number in range(count)]
    (user.folder / "urls.txt").write_text("\n".join(urls))
    return urls


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_publish_submits_only_changes(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    first = _list(user, site, 25)
    done = user("publish")
    assert (0, first) == (done.returncode, sorted(engine.taken, key=first.index)), done.stderr
    files = _files(public)
    assert f"Sitemap: {site.url}/sitemap.xml\n".encode() == files["robots.txt"]
    assert {"robots.txt", *(f"sitemap{n}.xml" for n in ("", "-1", "-2", "-3"))} == set(files)

    engine.taken.clear()
    second = _list(user, site, 26)
    assert 0 == user("publish").returncode
    assert second[25:] == list(engine.taken)
    assert files["sitemap-1.xml"] == _files(public)["sitemap-1.xml"]

    engine.taken.clear()
    assert 0 == user("publish").returncode
    assert [] == list(engine.taken)


def _add_job(public: Path, job: str) -> None:
    """Make `[convert]` the first of two jobs, and publish the outputs of both."""
    settings = public.parent / "sitemapx.toml"
    text = settings.read_text().replace("[convert]", "[[convert]]")
    text = text.replace('sitemaps = ["public/sitemap.xml"]\n', "")
    settings.write_text(text.replace("[check]", f"[[convert]]\n{job}\n\n[check]"))


def test_publish_builds_checks_lists_and_submits_every_job(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    urls = _list(user, site, 25)
    news = [f"{site.url}/news/{number}" for number in range(25)]
    (user.folder / "news.txt").write_text("\n".join(news))
    job = 'sources = ["news.txt"]\noutput = "public/news.xml"\nmax-urls = 10\n'
    _add_job(public, f'{job}base-url = "{site.url}/"')
    done = user("publish")
    files = _files(public)

    assert (0, {*urls, *news}) == (done.returncode, set(engine.taken)), done.stderr
    assert b"8 files, 50 entries checked" in done.stderr
    assert f"Sitemap: {site.url}/news.xml\n".encode() in files["robots.txt"]
    assert {f"{name}-{n}.xml" for name in ("sitemap", "news") for n in (1, 2, 3)} < files.keys()
    assert b"8 files, 50 entries checked" in user("check").stderr

    (user.folder / "news.txt").unlink()
    (user.folder / "urls.txt").write_text(f"{site.url}/new\n")
    failed = user("publish")
    assert failed.returncode != 0
    assert files == _files(public)


def test_job_reads_the_new_output_of_an_earlier_job(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    urls = _list(user, site, 25)
    _add_job(public, 'sources = ["public/sitemap.xml"]\noutput = "public/map.txt"')
    settings = user.folder / "sitemapx.toml"
    settings.write_text(settings.read_text().replace('"warning"', '"error"'))  # URLs listed twice
    done = user("publish", "--no-submit")

    assert 0 == done.returncode, done.stderr
    assert urls == (public / "map.txt").read_text().split()


def test_dry_run_changes_nothing(user: User, site: Site, engine: IndexNow, public: Path) -> None:
    urls = _list(user, site, 25)
    done = user("publish", "--dry-run", "-v")

    assert 0 == done.returncode, done.stderr
    assert {} == _files(public)
    assert [] == list(engine.taken)
    assert not (user.folder / "j.db").exists()
    assert f"+Sitemap: {site.url}/sitemap.xml".encode() in done.stdout
    assert all(url.encode() in done.stdout for url in urls)


def test_findings_stop_publishing(user: User, site: Site, engine: IndexNow, public: Path) -> None:
    _list(user, site, 25)
    assert 0 == user("publish").returncode
    before = _files(public)
    engine.taken.clear()
    with (user.folder / "urls.txt").open("a") as file:
        file.write("\nhttps://elsewhere.example/\n")
    done = user("publish")

    assert 1 == done.returncode
    assert b"public/sitemap-3.xml:" in done.stdout
    assert b".sitemapx" not in done.stdout + done.stderr
    assert done.stderr.endswith(b"nothing was changed: the check found problems\n")
    assert (before, []) == (_files(public), list(engine.taken))


@pytest.mark.parametrize(
    ("old", "new", "status", "message"),
    [
        ("[engines.indexnow]", '[engines.indexnow]\nsecret = "env:NOTHING"', 2, "NOTHING"),
        ("j.db", "urls.txt/j.db", 1, "cannot create the journal"),
        (
            *("[check]", '[check]\nwrite-baseline = "b.json"'),
            *(2, "write-baseline in [check] hides all findings"),
        ),
        ("[check]", "[check]\nfix = true", 2, "fix in [check] changes files"),
        (
            *("max-urls = 10", "gzip = true"),
            *(2, "sitemapx.toml:3: sitemaps lacks public/sitemap.xml.gz"),
        ),
    ],
    ids=["secret", "journal", "baseline", "fix", "sitemaps"],
)
def test_settings_are_checked_before_publishing(
    user: User,
    site: Site,
    engine: IndexNow,
    public: Path,
    old: str,
    new: str,
    status: int,
    message: str,
) -> None:
    _list(user, site, 3)
    settings = user.folder / "sitemapx.toml"
    settings.write_text(settings.read_text().replace(old, new))
    done = user("publish")

    assert status == done.returncode
    assert message in (done.stdout + done.stderr).decode()
    assert {} == _files(public)


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        (f"/{KEY}.txt", None, "not found: status 404"),
        ("/robots.txt", "User-agent: *\nDisallow: /\n", "disallows the whole site"),
    ],
)
def test_site_is_checked_before_publishing(
    user: User,
    site: Site,
    engine: IndexNow,
    public: Path,
    path: str,
    content: str | None,
    message: str,
) -> None:
    _list(user, site, 3)
    del site.files[path]
    if content:
        site.files[path] = content
    done = user("publish")

    assert 1 == done.returncode
    assert message in done.stderr.decode()
    assert {} == _files(public)


def test_unreadable_line_hides_no_removal(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    first = _list(user, site, 3)
    with (user.folder / "urls.txt").open("a") as file:
        file.write("\nno URL\n")
    assert 0 == user("publish").returncode
    engine.taken.clear()
    (user.folder / "urls.txt").write_text("\n".join([*first[:2], "no URL"]))
    done = user("publish")

    assert 0 == done.returncode, done.stderr
    assert first[2:] == list(engine.taken)


def test_files_of_a_linked_directory_are_named_by_settings(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    _list(user, site, 25)
    public.rename(user.folder / "real")
    public.symlink_to("real")
    done = user("publish", "--no-submit")

    assert 0 == done.returncode, done.stderr
    assert b"25 written to 3 files listed in public/sitemap.xml\n" in done.stderr
    assert b".sitemapx" not in done.stdout + done.stderr
    assert "sitemap-3.xml" in _files(user.folder / "real")


def test_refused_urls_are_sent_again(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    urls = _list(user, site, 3)
    engine.faults.extend([Fault(status=403)])
    assert 1 == user("publish").returncode
    assert "sitemap.xml" in _files(public)
    assert 0 == user("publish").returncode
    assert set(urls) == set(engine.taken)


@pytest.mark.parametrize("is_setting", [False, True])
def test_refusal_may_exit_zero_but_a_stopped_run_may_not(
    user: User, site: Site, engine: IndexNow, public: Path, is_setting: bool
) -> None:
    _list(user, site, 3)
    settings = user.folder / "sitemapx.toml"
    if is_setting:
        text = settings.read_text().replace("[submit]\n", "[submit]\nexit-zero = true\n")
        settings.write_text(text)
    options = [] if is_setting else ["--exit-zero"]
    engine.faults.extend([Fault(status=403)])
    refused = user("publish", "-q", *options)
    (user.folder / "urls.txt").write_text("no URL\n")
    stopped = user("publish", *options)

    assert 0 == refused.returncode, refused.stderr
    assert b"refused 403" in refused.stdout
    assert "sitemap.xml" in _files(public)
    assert 1 == stopped.returncode
    assert b"nothing was changed" in stopped.stderr


def test_accepted_batches_are_not_printed_if_quiet(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    _list(user, site, 3)
    done = user("publish", "-q")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 3 == len(engine.taken)


def test_staged_paths_have_final_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    (tmp_path / "public").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Console, "current", Console.current)
    monkeypatch.setattr(Console, "_print", lambda self, line: lines.append(self.rewrite(line)))
    with closing(Stage(target_of("public/sitemap.xml"))) as stage:
        console = Console()
        console.rewrite = stage.replace_staged_paths
        for before in range(500):
            message = f"--map={'a' * before}{Path(stage.folder).resolve()}/{'b' * (500 - before)}"
            console.print_error(message)

    assert 500 == len(lines)
    assert [] == [line for line in lines if "sitemapx-stage" in line]


def test_all_sitemaps_are_checked(user: User, site: Site, engine: IndexNow, public: Path) -> None:
    _list(user, site, 3)
    settings = user.folder / "sitemapx.toml"
    two = '["public/sitemap.xml", "other.xml"]'
    settings.write_text(settings.read_text().replace('["public/sitemap.xml"]', two))
    (user.folder / "other.xml").write_text("<urlset><url/></urlset>")
    done = user("publish")

    assert 1 == done.returncode
    assert b"nothing was changed: the check found problems" in done.stderr
    assert b"other.xml:1:" in done.stdout
    assert b".sitemapx" not in done.stdout + done.stderr
    assert {} == _files(public)


@pytest.mark.parametrize("is_built", [True, False])
def test_advised_command_shows_what_check_ignores(
    user: User, site: Site, engine: IndexNow, public: Path, *, is_built: bool
) -> None:
    (user.folder / "urls.txt").write_text(f"{site.url}/a\nhttps://other.example/b\n")
    settings = user.folder / "sitemapx.toml"
    text = settings.read_text().replace('["loc-local"]', '["loc-local", "other-host"]')
    if is_built:
        user("convert", "urls.txt", "-o", "public/sitemap.xml", "--base-url", site.url)
        text = re.sub(r"\[convert\].*?\n\n", "", text, flags=re.DOTALL)
    settings.write_text(text)
    before = _files(public)
    done = user("publish")
    advised = done.stderr.decode().partition("see `")[2].partition("`")[0]
    shown = user(*shlex.split(advised)[1:])

    assert (1, before) == (done.returncode, _files(public))
    assert b"https://other.example/b" in shown.stdout + shown.stderr
    assert b"other-host" in shown.stdout + shown.stderr


@pytest.mark.parametrize("output", ["-", "nowhere/sitemap.xml"])
def test_unpublishable_output_is_rejected(
    output: str, user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    _list(user, site, 3)
    settings = user.folder / "sitemapx.toml"
    text = settings.read_text().replace("public/sitemap.xml", output)
    settings.write_text(text.replace("[check]", 'to = "sitemap"\n\n[check]'))
    done = user("publish")

    assert 0 != done.returncode
    assert (
        b"output must be a file" if output == "-" else b"no such directory nowhere"
    ) in done.stderr


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('output = "public/a.foo"', 'set to = "FORMAT" in [convert] (choose from sitemap,'),
        ('columns = "loc"', "columns in [convert] is for csv, tsv, parquet, arrow and sqlite"),
        ("with-source = true", "with-source in [convert] is for jsonl, json, csv, tsv, parquet"),
        (
            'group-by = "path:1"',
            "group-by in [convert] writes a set with an index: set base-url in [convert]",
        ),
    ],
)
def test_errors_of_the_output_name_settings(user: User, setting: str, message: str) -> None:
    key = setting.split(maxsplit=1)[0]
    values = {"sources": '["urls.txt"]', "output": '"public/a.xml"'}
    lines = [f"{name} = {value}" for name, value in values.items() if name != key]
    (user.folder / "public").mkdir()
    (user.folder / "sitemapx.toml").write_text(
        "\n".join(['site = "https://e.example/"\nroot = "public"\n[convert]', *lines, setting])
    )
    done = user("publish")

    assert 2 == done.returncode
    assert message in done.stderr.decode()
    assert "--" not in done.stderr.decode()


def test_missing_settings_are_named(user: User) -> None:
    none = user("publish")
    (user.folder / "sitemapx.toml").write_text('[convert]\nsources = ["public"]\n')
    half = user("publish")

    assert (2, 2) == (none.returncode, half.returncode)
    assert b"publish requires sitemapx.toml; `sitemapx init` creates it" in none.stderr
    assert (
        b'add for example output = "public/sitemap.xml" to [convert] (nothing was changed)\n'
        in half.stderr
    )


@slow
def test_stage_of_a_killed_run_is_removed(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    _list(user, site, 25)
    assert 0 == user("publish", "--no-submit").returncode
    before = _files(public)
    _list(user, site, 20_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "sitemapx", "publish", "--no-submit", "-q"],
        cwd=user.folder,
        env=user.environment,
    )
    while not any(name.startswith(".sitemapx-stage") for name in os.listdir(public)):
        assert process.poll() is None
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {path.name: path.read_bytes() for path in public.iterdir() if path.is_file()}

    assert before == kept
    assert 0 == user("publish", "--no-submit").returncode
    assert not [name for name in os.listdir(public) if name.startswith(".")]


@pytest.mark.parametrize("most", [3, pytest.param(200, marks=slow)])
def test_kills_leave_a_whole_set_and_lose_no_url(
    most: int, user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    chance = random.Random(most)
    _list(user, site, 20)
    assert 0 == user("publish").returncode
    known = {20}
    for number in range(most):
        count = 21 + number
        known.add(count)
        _list(user, site, count)
        process = subprocess.Popen(
            [sys.executable, "-m", "sitemapx", "publish", "-q"],
            cwd=user.folder,
            env=user.environment,
            stdout=subprocess.DEVNULL,
        )
        time.sleep(chance.uniform(0.1, 1.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
        until = time.monotonic() + 60  # what put files in place goes on for a moment
        while (found := _listed(public, site)) not in known and time.monotonic() < until:
            time.sleep(0.01)
        assert found in known
    done = user("publish")
    history = user("submit", "history", "--report", "json", "--limit", "99999")
    states = [json.loads(line)["state"] for line in history.stdout.splitlines()]

    assert 0 == done.returncode, done.stderr
    assert {f"{site.url}/{number}" for number in range(20 + most)} == set(engine.taken)
    doubled = len(engine.taken) - len(set(engine.taken))
    assert doubled <= (20 + most) * states.count("unknown")
    assert not [name for name in os.listdir(public) if name.startswith(".")]
    print(f"{most} kills, {states.count('unknown')} batches without an answer, {doubled} doubled")


def _listed(public: Path, site: Site) -> int | None:
    """Return the number of URLs in the published set; None if the set is incomplete."""
    opener = Opener(mappings=[UrlMap.create(f"{site.url}/", str(public))])
    with suppress(InputError):
        inputs = opener.open([str(public / "sitemap.xml")])
        locs = [entry.loc for one in inputs for batch in one.batches for entry in batch.entries]
        if locs == [f"{site.url}/{number}" for number in range(len(locs))]:
            return len(locs)
    return None


def test_publish_works_after_init(user: User, site: Site, engine: IndexNow, public: Path) -> None:
    (public / "index.html").write_text("<title>Home</title>")
    (user.folder / "sitemapx.toml").unlink()
    made = user("init", "--site", "https://example.com", "--root", "public")
    done = user("publish", "--no-submit")

    assert (0, 0) == (made.returncode, done.returncode)
    assert b"<loc>https://example.com/</loc>" in _files(public)["sitemap.xml"]


def test_generated_sitemap_is_published(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    (public / "robots.txt").write_text("User-agent: *\nDisallow:\n")
    settings = user.folder / "sitemapx.toml"
    text = settings.read_text()
    settings.write_text(re.sub(r"\[convert\].*?\n\n", "", text, flags=re.DOTALL))
    early = user("publish")
    (public / "sitemap.xml").write_text("<urlset/>")
    empty = user("publish")
    _list(user, site, 3)
    user("convert", "urls.txt", "-o", "public/sitemap.xml")
    dry, done = user("publish", "--dry-run"), user("publish")
    last = (public / "robots.txt").read_text().splitlines()[-1]

    assert [1, 1, 0, 0] == [one.returncode for one in (early, empty, dry, done)]
    assert b"public/sitemap.xml does not exist; build the site first" in early.stderr
    assert b"nothing was changed: the check found problems" in empty.stderr
    assert f"+Sitemap: {site.url}/sitemap.xml" in dry.stderr.decode() + dry.stdout.decode()
    assert f"Sitemap: {site.url}/sitemap.xml" == last
    assert 3 == len(engine.taken)


def test_invalid_key_stops_publishing(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    _list(user, site, 3)
    user.environment["INDEXNOW_KEY"] = "short"
    runs = [user("publish", "--dry-run"), user("publish")]

    assert [1, 1] == [done.returncode for done in runs]
    for done in runs:
        assert b"nothing was changed: indexnow: 3 URLs for" in done.stderr
        assert b"INDEXNOW_KEY is not a valid key" in done.stderr
    assert {} == _files(public)


def test_advice_names_settings(user: User, site: Site, engine: IndexNow, public: Path) -> None:
    _list(user, site, 3)
    site.files["/robots.txt"] = "User-agent: *\nDisallow: /\n"
    blocked = user("publish")
    site.files["/robots.txt"] = ""
    engine.faults.append(Fault(status=429, headers={"Retry-After": "3600"}))
    paused = user("publish")
    user.query("UPDATE batches SET state = 'x'")
    with closing(sqlite3.connect(user.folder / "j.db")) as journal:
        journal.execute("PRAGMA user_version = 2")
    unusable = user("publish")
    (user.folder / "urls.txt").write_text("")
    unread = user("publish")

    outputs = [(one.stdout + one.stderr).decode() for one in (blocked, paused, unusable, unread)]
    assert "(set ignore-robots = true in [submit] to send anyway)" in outputs[0]
    assert "or set no-wait = true in [submit] to send now" in outputs[1]
    assert "set journal in sitemapx.toml to use another" in outputs[2]
    assert 'for an empty list, set from = "text" in [convert], csv or jsonl' in outputs[3]
    for output in outputs:
        assert not set(re.findall(" --[a-z-]+", output)) - {" --no-submit"}


def test_content_dates_are_kept_once_published(
    user: User, engine: IndexNow, site: Site, public: Path
) -> None:
    settings = user.folder / "sitemapx.toml"
    dates = 'lastmod = "content"\ndates = "dates.txt"\n'
    of_pages = f'sources = ["public"]\nsource-url = "{site.url}/"\n{dates}'
    settings.write_text(settings.read_text().replace('sources = ["urls.txt"]\n', of_pages))
    (public / "a.html").write_text("<title>A</title><p>A")
    user("publish", "--dry-run")
    assert not (user.folder / "dates.txt").exists()

    done = user("publish")
    assert 0 == done.returncode, done.stderr
    assert f"{site.url}/a.html - " in (user.folder / "dates.txt").read_text()


@pytest.mark.parametrize(("setting", "is_same"), [("", True), ('previous = ""\n', False)])
def test_clean_checkout_keeps_the_dates_of_the_published_index(
    setting: str, is_same: bool, user: User, site: Site, public: Path
) -> None:
    settings = user.folder / "sitemapx.toml"
    online = f"max-urls = 10\nallow-private = true\n{setting}"
    settings.write_text(settings.read_text().replace("max-urls = 10\n", online))
    _list(user, site, 25)
    assert b"previous-unread" in user("publish", "--no-submit").stderr or not is_same
    for name, data in _files(public).items():
        site.files[f"/{name}"] = re.sub(r"(?<=<lastmod>)[^<]+", "2026-01-01", data.decode())
        (public / name).unlink()
    done = user("publish", "--no-submit")

    assert 0 == done.returncode, done.stderr
    assert is_same == ((public / "sitemap.xml").read_text() == site.files["/sitemap.xml"])


def test_removals_are_allowed_for_one_run(
    user: User, site: Site, engine: IndexNow, public: Path
) -> None:
    urls = _list(user, site, 20)
    assert 0 == user("publish").returncode
    before = _files(public)
    engine.taken.clear()
    _list(user, site, 1)
    braked, allowed = user("publish"), user("publish", "--allow-removals")

    assert (1, 0) == (braked.returncode, allowed.returncode), allowed.stderr
    assert b"19 of 20 URLs are missing (95%)" in braked.stderr
    advice = "if the source is complete, pass --allow-removals, or set max-removed in sitemapx.toml"
    assert f"{advice}; pass --no-submit" in braked.stderr.decode()
    assert before != _files(public)
    assert sorted(urls[1:]) == sorted(engine.taken)


@pytest.mark.parametrize("is_named", [True, False])
def test_submit_sends_what_publish_built(
    user: User, site: Site, engine: IndexNow, public: Path, *, is_named: bool
) -> None:
    settings = user.folder / "sitemapx.toml"
    if not is_named:
        named = 'sitemaps = ["public/sitemap.xml"]\n'
        settings.write_text(settings.read_text().replace(named, "").replace('root = "public"', ""))
    urls = _list(user, site, 25)
    assert 0 == user("publish", "--no-submit").returncode
    later = user("submit")
    taken = list(engine.taken)
    names = user.query("SELECT name FROM sets WHERE id")
    again = user("publish")

    assert (0, 0) == (later.returncode, again.returncode), later.stderr
    assert sorted(urls) == sorted(taken) == sorted(engine.taken)
    assert [(f"{site.url}/sitemap.xml",)] == names
