"""Mistakes of callers of the library: each is an error that says what to pass."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from sitemapx.check import check
from sitemapx.convert import Entry, convert, target_of, write
from sitemapx.convert.model.document import Document
from sitemapx.convert.steps import drop, exclude, include, strip_params, unique
from sitemapx.errors import UsageError

MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "code": (lambda: check([], codes=["bad-dat"]), "unknown rule 'bad-dat'. Did you mean 'bad-da"),
    "codes": (lambda: check([], codes="bad-date"), "`codes` must be a list: pass ['bad-date']"),
    "checked": (lambda: check("a.xml"), "`sources` must be a list: pass ['a.xml']"),
    "converted": (lambda: convert("a.xml", target_of("b.txt")), "`sources` must be a list"),
    "excluded": (lambda: exclude("/drafts/*"), "`patterns` must be a list: pass ['/drafts/*']"),
    "included": (lambda: include("/drafts/*"), "`patterns` must be a list"),
    "parameters": (lambda: strip_params("utm_*"), "`names` must be a list"),
    "fields": (lambda: drop("title"), "`fields` must be a list"),
    "unique": (lambda: unique("loc"), "`fields` must be a list"),  # type: ignore[arg-type]
    "base URL": (lambda: target_of("a.xml", base_url="foo"), "invalid base URL 'foo': expected an"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(name: str) -> None:
    """A mistake is not taken for something else."""
    make, expected = MISTAKES[name]
    with pytest.raises(UsageError) as failure:
        make()

    assert expected in str(failure.value)


def test_findings(tmp_path: Path) -> None:
    """Without a function that takes them, the findings are in the result."""
    path = tmp_path / "a.txt"
    path.write_text("https://example.com/\nhttps://example.com/\n")
    checked = check([str(path)], codes=["duplicate-loc"])

    assert ["duplicate-loc"] == [finding.code for finding in checked.findings]
    assert str(checked.findings[0]).startswith(f"{path}:2")


def test_nothing_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever does not look at the summary finds in the log why nothing was written."""
    target = target_of(str(tmp_path / "a.txt"))
    write(Document.of([Entry(loc="https://example.com/")]), target)
    with caplog.at_level(logging.INFO, "sitemapx"):
        write(Document.of([]), target)

    assert "ERROR" == caplog.records[-1].levelname
    assert "no entries left to write, but the output has 1 entry" in caplog.records[-1].message
