"""Invalid calls of the library raise a `UsageError` that says what to pass instead."""

import io
import logging
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import sitemapx
from sitemapx.check import check
from sitemapx.convert import (
    Comparison,
    Entry,
    Fetcher,
    Opener,
    convert,
    read,
    read_site,
    steps,
    target_of,
    write,
)
from sitemapx.convert.model.document import Document
from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.submit import RobotsFile, check_robots


def _wrong(value: object) -> Any:
    """Cast a value to a type that type checkers accept anywhere."""
    return value


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "no site": (
        lambda: read_site("nope.invalid"),
        "'nope.invalid' is neither a URL nor the name of a host on the Internet",
    ),
    "site is empty": (lambda: read_site(""), "source is an empty string"),
    "source is empty": (lambda: read(""), "source is an empty string"),
    "sources with an empty one": (lambda: check([""]), "source is an empty string"),
    "source is bytes": (lambda: read(_wrong(b"<urlset/>")), "or io.BytesIO(data) for data"),
    "no source to read": (lambda: sitemapx.read([]), "no sources: pass at least one path, URL"),
    "no source to check": (lambda: check(iter(())), "no sources: pass at least one path, URL"),
    "no source to convert": (
        lambda: convert([], target_of("o.xml")),
        "no sources: pass at least one path, URL",
    ),
    "source is nothing": (lambda: read(_wrong(None)), "source is of type NoneType: pass a path"),
    "one code": (lambda: check([], codes="bad-date"), "`codes` must be a list: pass ['bad-date']"),
    "base URL": (lambda: target_of("a.xml", base_url="foo"), "invalid base URL 'foo': expected an"),
    "one source to check": (lambda: check("a.xml"), "must be a list: pass ['a.xml']"),
    "one source to open": (lambda: list(Opener().open("a.xml")), "must be a list: pass ['a.xml']"),
    "one source to convert": (
        lambda: convert("a.xml", target_of("o.xml")),
        "`sources` must be a list: pass ['a.xml']",
    ),
    "no target": (lambda: convert(["a.xml"], _wrong("o.xml")), "pass target_of('o.xml')"),
    "no target to write": (
        lambda: write(Document.from_entries([Entry(loc="https://e.example/")]), _wrong("o.xml")),
        "pass target_of('o.xml')",
    ),
    "step without a call": (
        lambda: convert(["a.xml"], target_of("o.xml"), steps=[_wrong(steps.unique)]),
        "is not a Step: pass steps as a list, such as [unique()]",
    ),
    "one step": (
        lambda: write(Document.from_entries([]), target_of("o.xml"), steps=_wrong("unique")),
        "'u' is not a Step: pass steps as a list, such as [unique()]",
    ),
    "names to compare": (
        lambda: Comparison(_wrong("a.xml"), _wrong("b.xml")),
        "'a.xml' is not a Document: pass read('a.xml')",
    ),
    "rule of rewrite": (
        lambda: steps.rewrite(_wrong("foo")),
        "'foo' is not a rule: pass pairs of old and new, such as [('http:', 'https:')]",
    ),
    "rules of rewrite": (lambda: steps.rewrite(_wrong(["a=b"])), "'a=b' is not a rule: pass pairs"),
    "pattern": (lambda: steps.include("/blog/*"), "`patterns` must be a list"),
    "patterns": (lambda: steps.exclude("/blog/*"), "`patterns` must be a list"),
    "field": (lambda: steps.drop("images"), "`fields` must be a list"),
    "key": (lambda: steps.unique(_wrong("loc")), "`fields` must be a list"),
    "number of entries": (lambda: steps.head(_wrong(1.5)), "invalid `count` 1.5: expected a whole"),
    "number as text": (lambda: steps.newest(_wrong("3")), "invalid `limit` '3': expected a whole"),
    "maximum": (lambda: target_of("a.xml", max_urls=0), "invalid `max_urls` 0: expected a whole"),
    "seconds as text": (
        lambda: Fetcher(timeout=_wrong("10")),
        "invalid `timeout` '10': expected a",
    ),
    "negative seconds": (
        lambda: Fetcher(timeout=-1),
        "`timeout` -1: expected a number, more than 0",
    ),
    "no retries": (lambda: Fetcher(retries=-1), "`retries` -1: expected a number, 0 or more"),
    "crawler": (
        lambda: check_robots(RobotsFile(), agents="Googlebot"),
        "`agents` must be a list: pass ['Googlebot']",
    ),
    "sitemap for robots.txt": (
        lambda: check_robots(RobotsFile(), "sitemap.xml"),
        "`sitemaps` must be a list: pass ['sitemap.xml']",
    ),
    "date": (lambda: steps.since(_wrong(date(2026, 1, 1))), "pass text such as '2026-01-01'"),
    "value to set": (lambda: steps.assign(_wrong({"priority": 0.5})), "pass text such as '0.5'"),
    "bytes as base URL": (lambda: target_of("a.xml", base_url=_wrong(b"")), "of type bytes: pass"),
    "safeguards": (
        lambda: write(Document.from_entries([]), target_of("o.xml"), safeguards=_wrong({})),
        "safeguards are of type dict: pass Safeguards(…)",
    ),
    "stream of text": (lambda: read(_wrong(io.StringIO(""))), "stream of text: open it in binary"),
    "text of robots.txt": (lambda: RobotsFile(_wrong("")), "is of type str: pass its bytes"),
    "markup": (lambda: read("<urlset/>"), "source is markup: pass a path or URL, or io.BytesIO"),
    "list in a list": (lambda: check([_wrong(["a.xml"])]), "of type list: unpack it with *"),
    "URL as output": (lambda: target_of("https://e.example/a.xml"), "`output` is a URL: pass the"),
    "pattern of codes": (
        lambda: check(["a.xml"], codes=["bad-*"]),
        "'bad-*' is a pattern: pass codes_of(['bad-*'])",
    ),
    "parameter": (lambda: steps.strip_params("utm_*"), "`names` must be a list"),
}
NAMES: dict[str, tuple[Callable[[], object], str]] = {
    "code": (
        lambda: check([], codes=["bad-dat"]),
        "unknown rule 'bad-dat'. Did you mean 'bad-date'?",
    ),
    "engine": (lambda: check([], engine="gogle"), "unknown engine 'gogle'. Did you mean 'google'?"),
    "severity": (
        lambda: check([], severity={"bad-date": _wrong("fatal")}),
        "unknown severity 'fatal' (choose from error, warning, note)",
    ),
    "order": (lambda: steps.sort(_wrong("lastmd")), "'lastmd'. Did you mean 'lastmod'?"),
    "field to drop": (lambda: steps.drop(["image"]), "field 'image'. Did you mean 'images'?"),
    "key": (lambda: steps.unique(_wrong(["url"])), "unknown field 'url' (choose from loc, id)"),
    "format": (lambda: target_of("-", format="xml"), "format 'xml'. Did you mean 'sitemap'?"),
}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_argument_is_explained(name: str) -> None:
    call, expected = CALLS[name]
    with pytest.raises(UsageError) as failure:
        call()

    assert expected in str(failure.value)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_name_has_suggestion(name: str) -> None:
    call, expected = NAMES[name]
    with pytest.raises(UnknownNameError) as failure:
        call()

    assert expected in str(failure.value)


def test_broken_link_is_reported(tmp_path: Path) -> None:
    link = tmp_path / "sitemap.xml"
    link.symlink_to("nowhere.xml")
    with pytest.raises(ValueError, match=r"broken symbolic link to nowhere\.xml"):
        read(link)


def test_findings_are_in_the_result(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("https://example.com/\nhttps://example.com/\n")
    checked = check([str(path)], codes=["duplicate-loc"])

    assert ["duplicate-loc"] == [finding.code for finding in checked.findings]
    assert str(checked.findings[0]).startswith(f"{path}:2")


def test_kept_output_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    target = target_of(str(tmp_path / "a.txt"))
    write(Document.from_entries([Entry(loc="https://example.com/")]), target)
    with caplog.at_level(logging.INFO, "sitemapx"):
        write(Document.from_entries([]), target)

    assert "ERROR" == caplog.records[-1].levelname
    assert "no entries left to write, but the output has 1 entry" in caplog.records[-1].message
