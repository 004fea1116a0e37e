"""Relative URLs, URLs without a scheme, and placeholders."""

import pytest

from sitemapx.convert.values import relative

_BASE = "https://www.e.example/dir/sitemap.xml"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/a", "https://www.e.example/a"),
        ("a/b.c/d", "https://www.e.example/dir/a/b.c/d"),
        ("?a=1", "https://www.e.example/dir/sitemap.xml?a=1"),
        ("//cdn.example/a", "https://cdn.example/a"),
        ("index.php/a", "https://www.e.example/dir/index.php/a"),
        ("photo.avif", "https://www.e.example/dir/photo.avif"),
        ("v1.2/a", "https://www.e.example/dir/v1.2/a"),
        ("J.Smith/a", "https://www.e.example/dir/J.Smith/a"),
        ("www.e.example/a", "https://www.e.example/a"),
        ("WWW.E.Example", "https://WWW.E.Example"),
    ],
)
def test_url_is_resolved(url: str, expected: str) -> None:
    assert expected == relative.resolve(url, _BASE)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("e.example/a", "has no scheme"),
        ("shop.e.example:8080", "has no scheme"),
        ("other.org?a=1", "has no scheme"),
        ("WWW.other.org/a", "has no scheme"),
        ("xn--e1afmkfd.xn--p1ai/a", "has no scheme"),
        ("пример.рф/a", "has no scheme"),
        ("192.0.2.1/a", "has no scheme"),
        ("undefined", "invalid URL"),
        ("NULL", "invalid URL"),
        ("[object Object]", "invalid URL"),
        ("<https://e.example/a>", "invalid URL"),
        ("<https:/e.example/a>", "invalid URL"),
        ("'https://e.example/a'", "invalid URL"),
        ("http//e.example/a", "invalid URL"),
    ],
)
def test_url_is_not_resolved(url: str, problem: str) -> None:
    assert relative.resolve(url, _BASE) is None
    assert problem in relative.describe(url)


def test_host_includes_its_port() -> None:
    assert relative.resolve("localhost:8000/a", "http://localhost:8000/b") == (
        "http://localhost:8000/a"
    )
    assert relative.resolve("www.e.example:8000/a", _BASE) is None
