"""The public API."""

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterable
from types import ModuleType

import pytest

import sitemapx.check
import sitemapx.convert
import sitemapx.submit
from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.submit.robots.lint import FINDINGS

PACKAGES = [sitemapx.convert, sitemapx.check, sitemapx.submit]
MODULES = [
    *(package.__name__ for package in PACKAGES),
    *(
        module.name
        for package in PACKAGES
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ),
    *("sitemapx.errors", "sitemapx.optionnames", "sitemapx.cli.options.types"),
]
#: Modules that require PyArrow, also in doctests: see tests/extras.
ARROW_MODULES = [
    name for name in MODULES if re.search(r"\.(arrow|parquet)\.\w|\.convert\.tables$", name)
]

#: The contract: the keys of JSON Lines, in order.
KEYS = (
    *("loc", "lastmod", "changefreq", "priority"),
    *("title", "description", "id", "published", "language", "authors", "categories"),
    *("images", "videos", "news", "alternates", "enclosures", "mobile", "extras", "source"),
)


def test_keys_of_an_entry() -> None:
    assert KEYS == FIELDS == Entry.__struct_fields__


def wrong_offers(modules: Iterable[str]) -> list[str]:
    """Return the modules whose `__all__` has duplicate or missing names."""
    found = {name: importlib.import_module(name) for name in modules}
    offers = {name: getattr(module, "__all__", []) for name, module in found.items()}
    return [
        name
        for name, module in found.items()
        if len(set(offers[name])) < len(offers[name])
        or not all(hasattr(module, each) for each in offers[name])
    ]


def failed_doctests(modules: Iterable[str]) -> list[str]:
    """Return the modules with a failing doctest."""
    return [name for name in modules if doctest.testmod(importlib.import_module(name)).failed]


def test_names_in_all_exist() -> None:
    assert [] == wrong_offers(name for name in MODULES if name not in ARROW_MODULES)


def test_doctests_pass() -> None:
    assert [] == failed_doctests(name for name in MODULES if name not in ARROW_MODULES)


@pytest.mark.parametrize(
    ("package", "name"),
    [(sitemapx.convert, "read"), (sitemapx.check, "check"), (sitemapx.submit, "RobotsFile")],
    ids=["convert", "check", "submit"],
)
def test_public_names_are_imported_on_demand(package: ModuleType, name: str) -> None:
    names = dir(package)

    assert name in names
    assert "public" not in names
    assert all(hasattr(package, one) for one in names)
    with pytest.raises(ImportError):
        exec(f"from {package.__name__} import nothing", {})


@pytest.mark.parametrize(
    "name", ["sitemapx", "sitemapx.convert.steps", *(one.__name__ for one in PACKAGES)]
)
def test_help_has_no_notes_for_developers(name: str) -> None:
    text = importlib.import_module(name).__doc__ or ""

    assert text
    assert not re.search(r"May import|`public`", text)


def test_all_codes_by_default() -> None:
    """`help` shows a short signature of `check`, whose default is all codes."""
    assert inspect.signature(sitemapx.check.check).parameters["codes"].default is None


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_packages_import_little(package: ModuleType) -> None:
    code = f"import sys, {package.__name__}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    expected = {"sitemapx", "sitemapx.names", package.__name__}
    assert expected == {m for m in done.stdout.decode().split() if m.startswith("sitemapx")}


@pytest.mark.parametrize("name", ["read", "write", "convert"])
def test_main_functions_have_examples(name: str) -> None:
    function = getattr(sitemapx.convert, name)

    assert ">>> " in function.__doc__


def test_problem_codes() -> None:
    for code, kind in (PROBLEMS | FINDINGS).items():
        assert code == code.lower().replace("_", "-").strip("-")
        assert kind.severity in ("error", "warning", "note")
        assert kind.meaning
