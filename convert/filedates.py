"""
Dates of files, as the lastmod of their pages: from git, or from the file system.

What is not known stays empty: a date of today for a page of last year is worse than none.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Literal

from msgspec.structs import replace

from sitemapx.convert.directory import file_of
from sitemapx.convert.document import Batch
from sitemapx.convert.entry import Entry
from sitemapx.convert.problems import Context
from sitemapx.convert.steps.step import Step
from sitemapx.errors import InputError

__all__ = ["dated"]

#: No setting of the repository shall make git run a program.
_GIT = ("git", "-c", "core.fsmonitor=false", "-C")
#: Tells the lastmod of a file, or why there is none.
_DateOf = Callable[[str], str | None]
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
        InputError: If there is no git repository; when the first entry comes.

    """
    base = url and url.rstrip("/") + "/"

    def run(batches: Iterator[Batch], context: Context) -> Iterator[Batch]:
        date_of = _DATES[source](folder, context)
        for batch in batches:
            yield Batch([_dated(entry, folder, base, date_of, context) for entry in batch.entries])

    return Step("lastmod", run, None)


def _dated(
    entry: Entry, folder: str, base: str | None, date_of: _DateOf, context: Context
) -> Entry:
    if entry.lastmod or not entry.loc:
        return entry
    path = file_of(entry.loc, folder, base)
    if path is None:
        context.tally("no-date", "no file of an entry; it stays without lastmod")
        return entry
    date = date_of(path)
    return replace(entry, lastmod=date) if date else entry


def _mtimes(folder: str, context: Context) -> _DateOf:
    """Take the times of the files, as `date --iso-8601=seconds -u -r FILE` prints them."""
    from datetime import UTC, datetime

    def date_of(path: str) -> str:
        return datetime.fromtimestamp(int(os.stat(path).st_mtime), UTC).isoformat()

    return date_of


def _commits(folder: str, context: Context) -> _DateOf:
    """Take the last commit of each file, all in one pass through the history."""
    if _git(folder, "rev-parse", "--is-shallow-repository").strip() == b"true":
        said = "the history is cut off, so no date is certain; `git fetch --unshallow` completes it"
        context.problem("no-date", said)
        return lambda path: None
    changed = set(_git(folder, "diff", "--name-only", "--relative", "-z", "HEAD").split(b"\0"))
    dates = _dates_of_commits(folder)

    def date_of(path: str) -> str | None:
        name = os.fsencode(os.path.relpath(path, folder)).replace(os.sep.encode(), b"/")
        if name in changed:
            context.tally("no-date", "a file changed since its last commit; no lastmod")
            return None
        if name not in dates:
            context.tally("no-date", "a file that git does not know; no lastmod")
        return dates.get(name)

    return date_of


def _dates_of_commits(folder: str) -> dict[bytes, str]:
    """Read the history from its end, until each file was seen."""
    wanted = set(_git(folder, "ls-files", "-z").split(b"\0")) - {b""}
    log = ("log", "--format=%x01%cI", "--name-only", "--relative", "--no-renames", "-z", "--", ".")
    dates: dict[bytes, str] = {}
    date = ""
    with subprocess.Popen(  # noqa: S603
        [*_GIT, folder, *log], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
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


def _git(folder: str, *args: str) -> bytes:
    try:
        done = subprocess.run([*_GIT, folder, *args], capture_output=True, check=False)  # noqa: S603
    except FileNotFoundError as error:
        said = "--lastmod git: there is no git here; --lastmod mtime takes the times of the files"
        raise InputError(said) from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git failed"]
        raise InputError(f"--lastmod git: {lines[0]}", folder)
    return done.stdout


#: How to make what tells dates, by the name of where they come from.
_DATES: dict[str, Callable[[str, Context], _DateOf]] = {"git": _commits, "mtime": _mtimes}
