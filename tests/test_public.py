"""The names that others may rely on."""

import doctest
import importlib
import pkgutil

import pytest

import sitemapx.convert
import sitemapx.submit
from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.submit.robots.codes import FINDINGS

PACKAGES = [sitemapx.convert, sitemapx.submit]
MODULES = [
    name
    for package in PACKAGES
    for name in (
        package.__name__,
        *(m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")),
    )
]

#: The contract: the keys of JSON Lines, in order.
KEYS = (
    *("loc", "lastmod", "changefreq", "priority"),
    *("title", "description", "id", "published", "language", "authors", "categories"),
    *("images", "videos", "news", "alternates", "enclosures", "mobile", "extras"),
)


def test_keys_of_an_entry() -> None:
    """The fields of an entry are the keys of the contract, in its order."""
    assert KEYS == FIELDS == Entry.__struct_fields__


@pytest.mark.parametrize("name", MODULES)
def test_all_is_complete(name: str) -> None:
    """`__all__` names only what is there, each once (the linter sorts it)."""
    module = importlib.import_module(name)
    names = getattr(module, "__all__", [])

    assert len(set(names)) == len(names)
    assert all(hasattr(module, each) for each in names)


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    """The examples in the documentation are true."""
    result = doctest.testmod(importlib.import_module(name))

    assert 0 == result.failed


def test_names_come_when_they_are_asked_for() -> None:
    """`dir` lists the public names, and each is there; modules are no names."""
    names = dir(sitemapx.convert)

    assert "read" in names
    assert "reading" not in names
    assert all(hasattr(sitemapx.convert, name) for name in names)
    with pytest.raises(ImportError):
        exec("from sitemapx.convert import nothing", {})


@pytest.mark.parametrize("name", ["read", "write", "convert"])
def test_main_functions_have_examples(name: str) -> None:
    """Each of the main functions is documented with an example."""
    function = getattr(sitemapx.convert, name)

    assert ">>> " in function.__doc__


def test_problem_codes() -> None:
    """Codes are lower-case words with hyphens; each says how bad it is and what it means."""
    for code, kind in (PROBLEMS | FINDINGS).items():
        assert code == code.lower().replace("_", "-").strip("-")
        assert kind.severity in ("error", "warning", "note")
        assert kind.meaning
