"""Messages name options as parameters in Python, and as options in a shell."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from sitemapx.cli.options.types import option_name
from sitemapx.convert import Entry, Opener, convert, read, target_of, write
from sitemapx.convert.model.document import Document
from sitemapx.convert.steps import exclude
from sitemapx.errors import SitemapxError
from tests.commandhelp import commands
from tests.conftest import ROOT


def _index(folder: Path) -> str:
    path = folder / "index.xml"
    path.write_text(
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "<sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>"
    )
    return str(path)


def _pages(number: int) -> Document:
    return Document.from_entries([Entry(loc=f"https://example.com/{n}") for n in range(number)])


FAILURES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no format": (
        lambda folder: target_of(str(folder / "a.dat")),
        "pass `format`",
    ),
    "large": (
        lambda folder: write(_pages(2), target_of(str(folder / "a.xml"), max_urls=1)),
        "`base_url`",
    ),
    "grouped": (
        lambda folder: target_of(str(folder / "a.xml"), group_by="host"),
        "`group_by` writes a set with an index: pass `base_url`",
    ),
    "no format for standard output": (
        lambda folder: target_of("-"),
        "no output format: pass `format` (choose from sitemap, ",
    ),
    "directory": (lambda folder: read(str(folder)), "`source_url`"),
    "index": (lambda folder: _read_strictly(_index(folder)), "pass `url`, `mappings` or `fetches`"),
}


def _read_strictly(source: str) -> None:
    def report(problem: object) -> None:
        raise SitemapxError(str(problem))

    for part in Opener(beside=None).open([source], report):
        list(part.batches)


@pytest.mark.parametrize("name", FAILURES)
def test_messages_name_parameters_in_python(name: str, tmp_path: Path) -> None:
    fail, expected = FAILURES[name]
    with pytest.raises(SitemapxError) as failure:
        fail(tmp_path)

    assert expected in str(failure.value)
    assert "--" not in str(failure.value)


def test_failure_names_parameters(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    write(_pages(9), target_of(str(path)))
    summary = convert([str(path)], target_of(str(path)), steps=[exclude(["*"])])

    assert "pass `safeguards=Safeguards(allow_empty=True)`" in summary.failure


def _names() -> set[str]:
    """Return the names of all options that messages may mention."""
    trees = [
        ast.parse(p.read_text())
        for top in ("check", "convert", "submit")
        for p in (ROOT / top).rglob("*.py")
    ]
    return {
        str(node.args[0].value)
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "option"
        and isinstance(node.args[0], ast.Constant)
    }


def test_options_exist() -> None:
    terms = {
        word.rstrip(",")
        for command in commands()
        for rows in command.sections.values()
        for term, _ in rows
        for word in term.split()
    }
    names = _names()

    assert len(names) > 20
    assert [] == [name for name in names if option_name(name).split()[0] not in terms]
