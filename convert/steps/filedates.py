"""
Dates of files, as the lastmod of their pages: from git, or from the file system.

What is not known stays empty: a date of today for a page of last year is worse than none.
"""

import os
import subprocess
from collections.abc import Callable, Collection, Iterator
from itertools import repeat
from typing import Literal

from msgspec.structs import replace

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.folder import file_of
from sitemapx.convert.sources.urlmap import folder_address
from sitemapx.convert.steps.step import Step
from sitemapx.convert.values import urls
from sitemapx.errors import InputError, UsageError
from sitemapx.optionnames import option

__all__ = ["dated"]

#: Settings with which a repository could have programs run.
_PROGRAMS = {
    "core.fsmonitor": "false",
    "log.showSignature": "false",
    "core.hooksPath": os.devnull,  # `diff` notes in the index which files it looked at
}
#: Tells the lastmod of a file, or in words why there is none.
_DateOf = Callable[[str], tuple[str | None, str]]
_Source = Literal["git", "mtime"]


def dated(source: _Source, folder: str, url: str | None = None) -> Step:
    """
    Fill in the lastmod of entries that have none, where their files lie in a folder.

    Problems: `no-date`, for entries that stay without. A git history that is cut off dates none.

    Args:
        source: Where the dates come from: the last commit of a file, or its time of change.
        folder: Where the files are.
        url: The address of the folder; None if it is the root of any host.

    Raises:
        UsageError: If the address is not that of a folder. When entries come: if there is none,
            and they are of several hosts.
        InputError: If there is no git repository; when the first entry comes.

    """
    base = url and folder_address(url)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        date_of = _DATES[source](folder)
        host = ""

        def dated(entry: Entry) -> Entry:
            nonlocal host
            if entry.lastmod or not entry.loc:
                return entry
            if not base:
                host = _same_host(host, entry.loc)
            path = file_of(entry.loc, folder, base)
            date, message = date_of(path) if path else (None, "entry has no local file")
            if message:
                reporter.tally("no-date", f"{message}; no lastmod", loc=entry.loc)
            return replace(entry, lastmod=date) if date else entry

        for batch in batches:
            yield Batch(list(map(dated, batch.entries)))

    return Step("lastmod", run, None)


def _same_host(host: str, loc: str) -> str:
    """Check that a URL is on the host of those before, if there were any."""
    found = urls.host(loc)
    if host and found != host:
        raise UsageError(
            f"entries are on {host} and on {found}; pass {option('source_url')} to say which site "
            "the files belong to"
        )
    return found


def _mtimes(folder: str) -> _DateOf:
    """Take the times of the files, as `date --iso-8601=seconds -u -r FILE` prints them."""
    from datetime import UTC, datetime

    def date_of(path: str) -> tuple[str, str]:
        return datetime.fromtimestamp(int(os.stat(path).st_mtime), UTC).isoformat(), ""

    return date_of


def _commits(folder: str) -> _DateOf:
    """Take the last commit of each file, all in one pass through the history."""
    git = _Git(folder)
    if git.output("rev-parse", "--is-shallow-repository").strip() == b"true":
        message = "shallow clone: dates are not reliable; run `git fetch --unshallow`"
        return lambda path: (None, message)
    unstaged = ("--name-only", "--relative", "--ignore-submodules=all", "-z", "HEAD")
    changed = set(git.output("diff", *unstaged).split(b"\0"))
    dates = _dates_of_commits(git)

    def date_of(path: str) -> tuple[str | None, str]:
        name = os.fsencode(os.path.relpath(path, folder)).replace(os.sep.encode(), b"/")
        if name in changed:
            return None, "file has uncommitted changes"
        return dates.get(name), "" if name in dates else "file is not tracked by git"

    return date_of


def _dates_of_commits(git: "_Git") -> dict[bytes, str]:
    """Read the history from its end, until each file was seen."""
    wanted = set(git.output("ls-files", "-z").split(b"\0")) - {b""}
    log = ("log", "--format=%x01%cI", "--name-only", "--relative", "--no-renames", "-z", "--", ".")
    dates: dict[bytes, str] = {}
    date = ""
    with git.start(*log) as process:
        assert process.stdout is not None
        rest = b""
        while wanted and (data := process.stdout.read(1 << 16)):
            *parts, rest = (rest + data).split(b"\0")
            for part in map(bytes.lstrip, parts, repeat(b"\n")):
                if part.startswith(b"\1"):
                    date = part[1:].decode()
                elif part in wanted:
                    wanted.remove(part)
                    dates[part] = date
        process.kill()
    return dates


class _Git:
    """
    The git of a folder, which runs no program that its settings name, and connects to nothing.

    Filters are settings of any name (https://git-scm.com/docs/gitattributes), so these are looked
    for. A file that only its filter makes equal to what was committed counts as changed.
    """

    def __init__(self, folder: str) -> None:
        """
        Look for programs.

        Raises:
            InputError: If there is no git, or no repository.

        """
        self._folder = folder
        self._environment = {**os.environ, "GIT_ALLOW_PROTOCOL": ""}
        self.output("rev-parse")
        found = self.output("config", "-z", "--name-only", "--get-regexp", r"^filter\.", ok=(0, 1))
        filters = set(map(os.fsdecode, found.split(b"\0"))) - {""}
        off = {name: "false" if name.endswith(".required") else "" for name in sorted(filters)}
        first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
        for number, (name, value) in enumerate((_PROGRAMS | off).items(), first):
            self._environment[f"GIT_CONFIG_KEY_{number}"] = name
            self._environment[f"GIT_CONFIG_VALUE_{number}"] = value
            self._environment["GIT_CONFIG_COUNT"] = str(number + 1)

    def start(self, *args: str) -> subprocess.Popen[bytes]:
        """Start a command."""
        command = ["git", "-C", self._folder, *args]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        return subprocess.Popen(command, env=self._environment, stdout=pipe, stderr=nothing)  # noqa: S603

    def output(self, *args: str, ok: Collection[int] = (0,)) -> bytes:
        """
        Run a command, and give what it prints.

        Raises:
            InputError: If there is no git, or it does not end with one of these codes.

        """
        command = ["git", "-C", self._folder, *args]
        try:
            done = subprocess.run(command, env=self._environment, capture_output=True, check=False)  # noqa: S603
        except FileNotFoundError as error:
            message = f"git is not installed; pass {option('lastmod', 'mtime')} to use file times"
            raise InputError(message) from error
        if done.returncode not in ok:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git failed"]
            raise InputError(f"git: {lines[0]}", self._folder)
        return done.stdout


#: How to make what tells dates, by the name of where they come from.
_DATES: dict[str, Callable[[str], _DateOf]] = {"git": _commits, "mtime": _mtimes}
