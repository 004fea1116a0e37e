"""The list of dependencies and extras is complete, and missing wheels are found."""

import re
import tomllib

import pytest

from tests.conftest import ROOT
from tests.dependencies import PAGE, PLATFORMS, Lock, Target, extras

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
_LOCK = """
[[package]]
name = "project"
source = { virtual = "." }
dependencies = [{ name = "one" }, { name = "winonly", marker = "sys_platform == 'win32'" }]

[package.optional-dependencies]
more = [{ name = "two", extra = ["fast"] }]

[[package]]
name = "one"
version = "1.0"
source = { registry = "https://example.com/simple" }
wheels = [
    { url = "https://example.com/one-1.0-cp311-cp311-manylinux_2_17_x86_64.whl" },
    { url = "https://example.com/one-1.0-cp312-abi3-musllinux_1_2_x86_64.whl" },
    { url = "https://example.com/one-1.0-cp311-cp311-win_amd64.whl" },
]

[[package]]
name = "winonly"
version = "1.0"
source = { registry = "https://example.com/simple" }

[[package]]
name = "two"
version = "1.0"
source = { registry = "https://example.com/simple" }
wheels = [{ url = "https://example.com/two-1.0-py3-none-any.whl" }]

[package.optional-dependencies]
fast = [{ name = "three" }]

[[package]]
name = "three"
version = "1.0"
source = { registry = "https://example.com/simple" }
resolution-markers = ["python_full_version < '3.12'"]

[[package]]
name = "three"
version = "2.0"
source = { registry = "https://example.com/simple" }
resolution-markers = ["python_full_version >= '3.12'"]
wheels = [{ url = "https://example.com/three-2.0-py3-none-any.whl" }]
"""


@pytest.mark.parametrize(
    ("platform", "minor", "extra", "missing"),
    [
        ("Linux x86_64 (glibc)", 11, "", set()),
        ("Linux x86_64 (glibc)", 12, "", {"one"}),
        ("Linux aarch64 (glibc)", 11, "", {"one"}),
        ("Linux x86_64 (musl)", 11, "", {"one"}),
        ("Linux x86_64 (musl)", 15, "", set()),
        ("macOS arm64", 11, "", {"one"}),
        ("Windows amd64", 11, "", {"winonly"}),
        ("Linux x86_64 (glibc)", 11, "more", {"three"}),
        ("Linux x86_64 (musl)", 12, "more", set()),
    ],
)
def test_missing_wheels_are_found(platform: str, minor: int, extra: str, missing: set[str]) -> None:
    (found,) = (one for one in PLATFORMS if one.name == platform)

    assert missing == Lock(_LOCK).without_wheel(Target(found, (3, minor)), extra)


def test_page_lists_all_dependencies_and_extras() -> None:
    plain, _, optional = PAGE.read_text().partition("## Extras")
    explained, _, tables = optional.partition("<!-- extras -->")
    names = {re.split(r"[^\w-]", wanted)[0] for wanted in _PROJECT["dependencies"]}

    assert names == {name.lower() for name in _first_cells(plain.partition("<!-- plain -->")[0])}
    for text in (explained, tables):
        assert set(extras(_PROJECT)) == {name.strip("`") for name in _first_cells(text)}


def _first_cells(text: str) -> set[str]:
    """Return the first cell of each row of a table, without the head."""
    return set(re.findall(r"^\| ([^|]+) \|", text.partition("| --- |")[2], re.MULTILINE))
