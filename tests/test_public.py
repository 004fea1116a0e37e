"""The names that others may rely on."""

import doctest
import importlib
import pkgutil

import pytest

import sitemapx.convert
from sitemapx.convert.document import FIELDS
from sitemapx.convert.entry import Entry
from sitemapx.convert.problems import PROBLEMS

MODULES = [m.name for m in pkgutil.walk_packages(sitemapx.convert.__path__, "sitemapx.convert.")]

#: The contract: the keys of JSON Lines, in order.
KEYS = (
    *("loc", "lastmod", "changefreq", "priority"),
    *("title", "description", "id", "published", "language", "authors", "categories"),
    *("images", "videos", "news", "alternates", "enclosures", "mobile", "extras"),
)


def test_keys_of_an_entry() -> None:
    """The fields of an entry are the keys of the contract, in its order."""
    assert KEYS == FIELDS == Entry.__struct_fields__


@pytest.mark.parametrize("name", ["sitemapx.convert", *MODULES])
def test_all_is_complete(name: str) -> None:
    """`__all__` names only what is there, each once (the linter sorts it)."""
    module = importlib.import_module(name)
    names = getattr(module, "__all__", [])

    assert len(set(names)) == len(names)
    assert all(hasattr(module, each) for each in names)


@pytest.mark.parametrize("name", ["sitemapx.convert", *MODULES])
def test_doctests(name: str) -> None:
    """The examples in the documentation are true."""
    result = doctest.testmod(importlib.import_module(name))

    assert 0 == result.failed


@pytest.mark.parametrize("name", ["read", "write", "convert"])
def test_main_functions_have_examples(name: str) -> None:
    """Each of the main functions is documented with an example."""
    function = getattr(sitemapx.convert, name)

    assert ">>> " in function.__doc__


def test_problem_codes() -> None:
    """Codes are lower-case words with hyphens; each says how bad it is and what it means."""
    for code, kind in PROBLEMS.items():
        assert code == code.lower().replace("_", "-").strip("-")
        assert kind.severity in ("error", "warning", "note")
        assert kind.meaning
