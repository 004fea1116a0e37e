"""
The distributions that an installation brings, their size, and the wheels that exist of them.

`python -m tests.dependencies` asks the package index with uv, installs each extra in a temporary
directory, and writes the tables in docs/dependencies.md. The sizes are those on this platform.
"""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import distributions
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, NamedTuple

from packaging.markers import Marker
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import canonicalize_name, parse_wheel_filename

from tests.markdown import table

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "dependencies.md"
#: Extras for the development of sitemapx.
_DEVELOPMENT = {"test", "test-all", "docs", "check", "integrations"}
#: The oldest versions of glibc, musl and macOS for which wheels are counted.
_GLIBC, _MUSL, _MACOS = 28, 2, (14, 0)

#: A table `[[package]]` of uv.lock.
Distribution = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Platform:
    """An operating system and its processor, with the values of markers and of wheel tags there."""

    name: str
    tags: Sequence[str]
    markers: Mapping[str, str]


def _platforms() -> Iterator[Platform]:
    linux = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
    macos = {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"}
    windows = {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"}
    for arch in ("x86_64", "aarch64"):
        glibc = [f"manylinux_2_{minor}_{arch}" for minor in range(_GLIBC, 4, -1)]
        glibc += [f"manylinux{year}_{arch}" for year in ("2014", "2010", "1")]
        musl = [f"musllinux_1_{minor}_{arch}" for minor in range(_MUSL, -1, -1)]
        markers = {**linux, "platform_machine": arch}
        yield Platform(f"Linux {arch} (glibc)", glibc, markers)
        yield Platform(f"Linux {arch} (musl)", musl, markers)
    for arch in ("arm64", "x86_64"):
        tags = list(mac_platforms(_MACOS, arch))
        yield Platform(f"macOS {arch}", tags, {**macos, "platform_machine": arch})
    for arch, machine in (("amd64", "AMD64"), ("arm64", "ARM64")):
        yield Platform(f"Windows {arch}", [f"win_{arch}"], {**windows, "platform_machine": machine})


PLATFORMS = tuple(_platforms())


class Target(NamedTuple):
    """A platform with a version of Python, such as (3, 15)."""

    platform: Platform
    python: tuple[int, int]

    @property
    def environment(self) -> dict[str, str]:
        version = "{}.{}".format(*self.python)
        return {
            **self.platform.markers,
            "python_version": version,
            "python_full_version": f"{version}.0",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "extra": "",
        }


@cache
def _supported(target: Target) -> frozenset[Tag]:
    """Return the tags of the wheels that can be installed on a target."""
    platforms = target.platform.tags
    interpreter = "cp{}{}".format(*target.python)
    compiled = cpython_tags(target.python, platforms=platforms)
    return frozenset([*compiled, *compatible_tags(target.python, interpreter, platforms)])


def targets(project: Mapping[str, Any]) -> list[Target]:
    """Return all platforms with all versions of Python that the classifiers name."""
    pattern = re.compile(r"Programming Language :: Python :: 3\.(\d+)")
    minors = [m[1] for text in project["classifiers"] if (m := pattern.fullmatch(text))]
    return [Target(platform, (3, int(minor))) for minor in minors for platform in PLATFORMS]


class Lock:
    """A uv.lock: for all platforms, which version of each distribution is installed."""

    def __init__(self, text: str) -> None:
        self._packages: dict[str, list[Distribution]] = {}
        for package in tomllib.loads(text)["package"]:
            self._packages.setdefault(package["name"], []).append(package)

    @cached_property
    def _root(self) -> Distribution:
        local = ("virtual", "editable")
        packages = (package for versions in self._packages.values() for package in versions)
        return next(one for one in packages if any(kind in one["source"] for kind in local))

    def installed(self, target: Target, extra: str = "") -> dict[str, Distribution]:
        """Return the distributions that the project brings, without the project itself, by name."""
        environment = target.environment
        found: dict[tuple[str, str], Distribution] = {}
        todo = list(self._root.get("dependencies", ()))
        todo += self._root.get("optional-dependencies", {}).get(extra, ())
        while todo:
            needed = todo.pop()
            if not _applies(needed.get("marker"), environment):
                continue
            package = self._select(needed, environment)
            for name in ("", *needed.get("extra", ())):
                if (package["name"], name) not in found:
                    found[package["name"], name] = package
                    more = package.get("optional-dependencies", {}).get(name, ())
                    todo += more if name else package.get("dependencies", ())
        return {name: package for (name, _), package in found.items()}

    def _select(self, needed: Mapping[str, Any], environment: dict[str, str]) -> Distribution:
        for package in self._packages[needed["name"]]:
            markers = package.get("resolution-markers", [None])
            if needed.get("version", package["version"]) == package["version"] and any(
                _applies(marker, environment) for marker in markers
            ):
                return package
        raise LookupError(f"no version of {needed['name']} for {environment}")

    def without_wheel(self, target: Target, extra: str = "") -> set[str]:
        """Return the names of the distributions that would have to be compiled."""
        return {
            name
            for name, package in self.installed(target, extra).items()
            if not any(tags & _supported(target) for tags in _wheels(package))
        }


def _applies(marker: str | None, environment: dict[str, str]) -> bool:
    return marker is None or Marker(marker).evaluate(environment)


def _wheels(package: Distribution) -> Iterator[frozenset[Tag]]:
    for wheel in package.get("wheels", ()):
        yield parse_wheel_filename(wheel["url"].rpartition("/")[2])[3]


def _is_pure(package: Distribution) -> bool:
    tags: set[Tag] = set().union(*_wheels(package))
    return any(tag.abi == "none" and tag.platform == "any" for tag in tags)


def extras(project: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the requirements of the extras for users."""
    optional: dict[str, list[str]] = project["optional-dependencies"]
    return {name: wants for name, wants in optional.items() if name not in _DEVELOPMENT}


def _uv(*words: str | Path) -> None:
    subprocess.run(["uv", *words], check=True)


def _ask_index(project: Mapping[str, Any], directory: Path) -> Lock:
    """Resolve the newest versions for all platforms at once."""
    optional = (f"{name} = {json.dumps(wants)}" for name, wants in extras(project).items())
    lines = [
        "[project]",
        'name = "all-extras"',
        'version = "0"',
        f'requires-python = "{project["requires-python"]}"',
        f"dependencies = {json.dumps(project['dependencies'])}",
        "[project.optional-dependencies]",
        *optional,
    ]
    (directory / "pyproject.toml").write_text("\n".join(lines))
    _uv("lock", "--quiet", "--refresh", "--project", directory)
    return Lock((directory / "uv.lock").read_text())


def _sizes(wants: Sequence[str], directory: Path) -> dict[str, float]:
    """Install requirements in a directory; return the MB of each distribution, with bytecode."""
    options = ("--quiet", "--compile-bytecode", "--python", sys.executable, "--target", directory)
    _uv("pip", "install", *options, *wants)
    sizes: dict[str, float] = {}
    for one in distributions(path=[str(directory)]):
        files = (Path(str(file.locate())) for file in one.files or ())
        sizes[canonicalize_name(one.name)] = sum(map(_size, files))
    return sizes


def _size(path: Path) -> float:
    files = [path, Path(cache_from_source(str(path)))] if path.suffix == ".py" else [path]
    return sum(file.stat().st_size for file in files if file.exists()) / 1e6


def _lacking(lock: Lock, extra: str, everything: Sequence[Target]) -> dict[str, str]:
    """Return the distributions without a wheel for some targets, and the names of these."""
    missing: dict[str, list[Target]] = {}
    for target in everything:
        for name in lock.without_wheel(target, extra):
            missing.setdefault(name, []).append(target)
    return {name: _describe(missing[name], everything) for name in sorted(missing)}


def _describe(some: Sequence[Target], everything: Sequence[Target]) -> str:
    """Name targets by platform, with the versions of Python unless it is all of them."""
    places = []
    for platform in PLATFORMS:
        pythons = [target.python for target in some if target.platform == platform]
        if pythons:
            is_all = len(pythons) == sum(target.platform == platform for target in everything)
            versions = ", ".join("{}.{}".format(*python) for python in pythons)
            places.append(platform.name if is_all else f"{platform.name}: {versions}")
    return ", ".join(places)


def _plain_rows(
    lock: Lock, sizes: Mapping[str, float], everything: Sequence[Target]
) -> Iterable[list[str]]:
    packages = {name: one for target in everything for name, one in lock.installed(target).items()}
    lacking = _lacking(lock, "", everything)
    for name, package in sorted(packages.items()):
        kind = "pure Python" if _is_pure(package) else "compiled"
        size = f"{sizes.get(name, 0):.1f}"
        yield [name, package["version"], size, kind, lacking.get(name, "-")]
    total = sum(sizes.values())
    size = f"**{total:.1f}**, without lxml {total - sizes['lxml']:.1f}"
    yield [f"**{len(packages)} distributions**", "", size, "", ""]


def _extra_row(
    lock: Lock, extra: str, added: Mapping[str, float], everything: Sequence[Target]
) -> list[str]:
    lacking = _lacking(lock, extra, everything).items()
    places = "<br>".join(f"{name}: {where}" for name, where in lacking)
    size = f"{sum(added.values()):.1f}"
    return [f"`{extra}`", str(len(added)), size, ", ".join(sorted(added)), places or "-"]


def _write(marker: str, text: str) -> None:
    page = PAGE.read_text()
    pattern = re.compile(rf"(?<=<!-- {marker} -->\n).*?(?=<!-- end -->)", re.DOTALL)
    PAGE.write_text(pattern.sub(lambda _: text, page, count=1))


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    everything = targets(project)
    with tempfile.TemporaryDirectory() as scratch:
        lock = _ask_index(project, Path(scratch))
        plain = _sizes(project["dependencies"], Path(scratch, "plain"))
        rows = []
        for extra, wants in extras(project).items():
            sizes = _sizes([*project["dependencies"], *wants], Path(scratch, extra))
            added = {name: size for name, size in sizes.items() if name not in plain}
            rows.append(_extra_row(lock, extra, added, everything))
    head = ["distribution", "version", "MB", "kind", "no wheel for"]
    _write("plain", table(head, list(_plain_rows(lock, plain, everything))))
    head = ["extra", "distributions", "MB", "which", "no wheel for"]
    _write("extras", table(head, rows))


if __name__ == "__main__":
    main()
