"""Dates from the history of files in a git repository."""

import os
import subprocess
from collections.abc import Collection
from itertools import repeat

from sitemapx.errors import InputError
from sitemapx.optionnames import option

#: Settings that would let a repository run programs.
_PROGRAMS = {
    "core.fsmonitor": "false",
    "log.showSignature": "false",
    "core.hooksPath": os.devnull,  # `diff` updates the index, which triggers a hook
}


class History:
    """Dates of the last commits of all files in a directory, from a single pass through the log."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        git = _Git(folder)
        self._dates: dict[bytes, str] = {}
        self._changed: set[bytes] = set()
        self._is_shallow = git.output("rev-parse", "--is-shallow-repository").strip() == b"true"
        if not self._is_shallow:
            unstaged = ("--name-only", "--relative", "--ignore-submodules=all", "-z", "HEAD")
            self._changed = set(git.output("diff", *unstaged).split(b"\0")) - {b""}
            self._dates = _dates_of_commits(git)

    def __contains__(self, name: str) -> bool:
        return os.fsencode(name) in self._dates

    def date_of(self, name: str) -> tuple[str | None, str]:
        """Return the date of the last commit of a file, or None and the reason."""
        key = os.fsencode(name)
        if self._is_shallow:
            return None, "shallow clone: dates are not reliable; run `git fetch --unshallow`"
        if key in self._changed:
            return None, "file has uncommitted changes"
        return self._dates.get(key), "" if key in self._dates else "file is not tracked by git"


def _dates_of_commits(git: "_Git") -> dict[bytes, str]:
    """Map each tracked file to the date of its last commit; stop reading when all are found."""
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
    Runs git in a directory without running configured programs or accessing the network.

    Filters can have any name (https://git-scm.com/docs/gitattributes), so they are looked up and
    disabled. Because filters are disabled, a file that matches the commit only after filtering
    counts as changed.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._environment = {**os.environ, "GIT_ALLOW_PROTOCOL": ""}
        self.output("rev-parse")
        names = self.output("config", "-z", "--name-only", "--get-regexp", r"^filter\.", ok=(0, 1))
        filters = set(map(os.fsdecode, names.split(b"\0"))) - {""}
        off = {name: "false" if name.endswith(".required") else "" for name in sorted(filters)}
        first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
        for number, (name, value) in enumerate((_PROGRAMS | off).items(), first):
            self._environment[f"GIT_CONFIG_KEY_{number}"] = name
            self._environment[f"GIT_CONFIG_VALUE_{number}"] = value
            self._environment["GIT_CONFIG_COUNT"] = str(number + 1)

    def start(self, *args: str) -> subprocess.Popen[bytes]:
        command = ["git", "-C", self._folder, *args]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        return subprocess.Popen(command, env=self._environment, stdout=pipe, stderr=nothing)  # noqa: S603

    def output(self, *args: str, ok: Collection[int] = (0,)) -> bytes:
        command = ["git", "-C", self._folder, *args]
        try:
            done = subprocess.run(command, env=self._environment, capture_output=True, check=False)  # noqa: S603
        except FileNotFoundError as error:
            message = f"git is not installed; pass {option('lastmod', 'mtime')} to use file times"
            raise InputError(message) from error
        if done.returncode not in ok:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git failed"]
            advice = f"pass {option('lastmod', 'page')} to use dates in the pages"
            raise InputError(f"git: {lines[0]}; {advice}", self._folder)
        return done.stdout
