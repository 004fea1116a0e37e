"""Dates pages by git: the last commits of their files, or of their source files."""

import os
import posixpath
import subprocess
from collections.abc import Collection, Iterator, Sequence
from itertools import repeat
from urllib.parse import unquote

from sitemapx.convert.sources.folder import INDEXES
from sitemapx.convert.sources.urlmap import SUFFIXES
from sitemapx.convert.steps.lastmod.datesfile import DateSource, LocatedPage
from sitemapx.convert.steps.lastmod.step import NO_FILE
from sitemapx.errors import InputError, UsageError
from sitemapx.optionnames import option

#: Settings that would let a repository run programs.
_PROGRAMS = {
    "core.fsmonitor": "false",
    "log.showSignature": "false",
    "core.hooksPath": os.devnull,  # `diff` updates the index, which triggers a hook
}


class _History:
    """Dates of the last commits of files in a directory, from one pass through the log."""

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


#: Placeholder for the path of a page.
_PATH = "{path}"


class FileCommits(DateSource):
    def __init__(self, folder: str) -> None:
        self._history = _History(folder)

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        if page.path is None:
            return None, NO_FILE
        name = os.path.relpath(page.path, self._history.folder).replace(os.sep, "/")
        return self._history.date_of(name)


class SourceCommits(DateSource):
    """
    The last commits of the source files of pages.

    A template such as `content/{path}.md` maps pages to source files. The path of a page is the
    path of its URL relative to the site, without `index.html` and `.html`; the path of the home
    page is `index` if an extension follows in the template, else empty.

    Args:
        templates: Possible source files of a page; the first in git, else on disk, is used.
        base: URL of the site, with a final slash; None for the root of any host.

    """

    def __init__(self, templates: Sequence[str], base: str | None) -> None:
        folders = [os.path.abspath(_folder_of(template)) for template in templates]
        self._history = _History(os.path.relpath(os.path.commonpath(folders)))
        self._templates = [
            os.path.relpath(template, self._history.folder).replace(os.sep, "/")
            for template in templates
        ]
        self._base = base

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        path = self._path_of(page.loc)
        if path is None:
            return None, f"URL does not begin with {self._base}"
        names = list(self._names(path))
        tracked = (name for name in names if name in self._history)
        name = next(tracked, None) or next(filter(self._exists, names), None)
        return self._history.date_of(name) if name else self._reason(names)

    def _reason(self, names: Sequence[str]) -> tuple[None, str]:
        _, reason = self._history.date_of("")
        is_untracked = reason == "file is not tracked by git"
        return None, "page has no source file" if is_untracked else reason

    def _exists(self, name: str) -> bool:
        return os.path.isfile(os.path.join(self._history.folder, name))

    def _path_of(self, loc: str) -> str | None:
        """Return the text for `{path}` in templates; None if the page is on another site."""
        base = self._base or "/".join([*loc.split("/")[:3], ""])
        if not f"{loc}/".startswith(base):
            return None
        path = loc[len(base) :].partition("#")[0].partition("?")[0]
        path = unquote(path, errors="surrogateescape")  # Python decodes file names in the same way
        folder, slash, name = path.rpartition("/")
        if name in INDEXES:
            return folder.strip("/")
        suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")
        return f"{folder}{slash}{name.removesuffix(suffix)}".strip("/")

    def _names(self, path: str) -> Iterator[str]:
        for template in self._templates:
            paths = [path]
            if f"{_PATH}." in template:
                # with most generators, index.md becomes the page of its directory
                paths = [*filter(None, paths), f"{path}/index"]
            for candidate in paths:
                name = posixpath.normpath(template.replace(_PATH, candidate))
                yield name.removeprefix("/")


def _folder_of(template: str) -> str:
    """Return the directory of all files of a template; raise `UsageError` if it does not exist."""
    start, placeholder, _ = template.partition(_PATH)
    name = option("source_files")
    if not placeholder:
        raise UsageError(f"{name}: {template!r} has no {_PATH}; write e.g. content/{_PATH}.md")
    folder = os.path.dirname(start) or os.curdir
    if not os.path.isdir(folder):
        raise UsageError(f"{name}: {template!r}: no such directory {folder}")
    return folder
