"""URLs are kept as published when read, and follow RFC 3986 when written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pywhatwgurl import URL

from sitemapx.convert.values.uris import normalize, normalize_all, to_other_uri, to_uri
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.values.urls import MAX_LENGTH, clean, is_absolute, join, origin

_E = "https://e.example"


@pytest.mark.parametrize(
    ("url", "uri"),
    [
        (f"{_E}/", f"{_E}/"),
        (_E, _E),
        (f"{_E}?q", f"{_E}?q"),
        (f"{_E}/%7Ea/%c3%bc?b=1&c=(2)#d", f"{_E}/%7Ea/%c3%bc?b=1&c=(2)#d"),
        (f"{_E}/straße", f"{_E}/stra%C3%9Fe"),
        (f"{_E}/a b", f"{_E}/a%20b"),
        (f" {_E}/a\n", f"{_E}/a"),
        (f"{_E}/100%", f"{_E}/100%25"),
        (f"{_E}/%zz", f"{_E}/%25zz"),
        (f"{_E}/[a]?b[]=1", f"{_E}/%5Ba%5D?b%5B%5D=1"),
        (f"{_E}/a#b#c", f"{_E}/a#b%23c"),
        (f'{_E}/"<>^`{{|}}', f"{_E}/%22%3C%3E%5E%60%7B%7C%7D"),
        (f"{_E}\\a\\b?\\", f"{_E}/a/b?%5C"),
        ("https://müller.example/", "https://xn--mller-kva.example/"),
        ("https://例え.テスト/", "https://xn--r8jz45g.xn--zckzah/"),
        ("http://[2001:db8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("ftp://e.example/", None),
        ("mailto:a@e.example", None),
        ("//e.example/", None),
        ("/a", None),
        ("https://", None),
        ("https:///a", None),
        ("https://e.example:99999/", None),
        ("https://a b.example/", None),
    ],
)
def test_only_forbidden_characters_are_escaped(url: str, uri: str | None) -> None:
    assert to_uri(url) == uri
    assert (UriList.of_list([url]) is not None) == (uri == url) or "[2001" in url


@pytest.mark.parametrize(
    "authority",
    [
        "E.Example:443",
        "E.Example:59999",
        "E.Example:60000",
        "E.Example:65535",
        "_E.Example",
        "Me:%41:b@E.Example:443",
        "[2001:0DB8::1]",
    ],
)
def test_legal_authority_is_kept(authority: str) -> None:
    assert to_uri(f"https://{authority}/a b") == f"https://{authority}/a%20b"
    assert to_uri(f"https://{authority}/") == f"https://{authority}/"


@pytest.mark.parametrize("length", [MAX_LENGTH - 1, MAX_LENGTH, MAX_LENGTH + 1])
def test_length_is_limited(length: int) -> None:
    url = f"{_E}/".ljust(length, "x")
    assert to_uri(url) == (url if length < 2048 else None)
    assert (UriList.of_list([url]) is not None) == (length < 2048)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (f" \t\n{_E}/a\r\n", f"{_E}/a"),
        (f"\u00a0{_E}/a\u2007\u202f", f"{_E}/a"),
        (f"\ufeff{_E}/a\u200b", f"{_E}/a"),
        (f"{_E}/\n    a", f"{_E}/a"),
        (f"{_E}/a\tb", f"{_E}/ab"),
        (f"{_E}/a b", f"{_E}/a b"),
        (" ", ""),
    ],
)
def test_surrounding_whitespace_is_removed(text: str, url: str) -> None:
    assert clean(text) == url


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        (f"{_E}/", True),
        ("HTTP://e", True),
        ("https://", False),
        ("//e/", False),
        ("ftp://e", False),
    ],
)
def test_absolute_url_has_http_scheme_and_host(url: str, answer: bool) -> None:
    assert is_absolute(url) is answer


@pytest.mark.parametrize(
    ("url", "base", "resolved"),
    [
        ("b", f"{_E}/maps/s.xml", f"{_E}/maps/b"),
        ("/b?c", f"{_E}/maps/s.xml", f"{_E}/b?c"),
        ("//o.example/b", f"{_E}/maps/s.xml", "https://o.example/b"),
        ("mailto:a@e.example", f"{_E}/", "mailto:a@e.example"),
        ("/b", None, None),
        ("//[", f"{_E}/", None),
    ],
)
def test_relative_url_is_resolved_against_base(
    url: str, base: str | None, resolved: str | None
) -> None:
    assert join(url, base) == resolved


@pytest.mark.parametrize(
    ("url", "uri"),
    [
        ("android-app://com.example/https/e.example/ü", "android-app://com.example/https/e.example/%C3%BC"),
        ("https://e.example/", None),
        ("https:a", None),
        ("a/b", None),
        ("app://host:80/a", "app://host:80/a"),
        ("app://host:/a", None),  # libxml2 rejects this URI
        ("app://:", None),
    ],
)  # fmt: skip
def test_app_links_are_escaped(url: str, uri: str | None) -> None:
    assert to_other_uri(url) == uri


_HOSTS = (
    "https://e.example",
    "HTTP://E.example",
    "http://e.example:80",
    "https://b\u00fc.example",
    "x",
)
_PARTS = (
    "/",
    "/.",
    "/..",
    "/a",
    ".b",
    "?q='",
    "'",
    "%41",
    "%c3%bc",
    "%C3",
    "#f",
    "é",
    " ",
    "\n",
    "\0",
)
_odd_urls = st.builds(
    "{}{}".format,
    st.sampled_from(_HOSTS),
    st.lists(st.sampled_from(_PARTS), max_size=4).map("".join),
)


@given(st.lists(_odd_urls | st.just(f"{_E}/a") | st.just(""), max_size=5))
def test_urls_are_normalized_alike_together_and_alone(urls: list[str]) -> None:
    assert [url and normalize(url) for url in urls] == list(normalize_all(urls))


def _unreserved(m: re.Match[str]) -> str:
    character = chr(int(m[0][1:], 16))
    return character if re.match(r"[A-Za-z0-9\-._~]", character) else m[0].upper()


@given(_odd_urls)
def test_known_urls_are_normalized_as_by_a_parser(url: str) -> None:
    try:
        parsed = URL(to_uri(url) or url)
    except ValueError:
        assert (normalize(url), origin(url)) == (url, "")
    else:
        assert normalize(url) == re.sub("%[0-9A-Fa-f]{2}", _unreserved, parsed.href)
        assert origin(url) == parsed.origin


_ODD_TEXT = st.text(alphabet="ab%5c2F\\/|^{}[]'\"<> \té;@:&=+.~", max_size=12)


@given(_ODD_TEXT, _ODD_TEXT, _ODD_TEXT)
def test_escaping_keeps_the_normalized_form(path: str, query: str, fragment: str) -> None:
    url = f"{_E}/{path}?{query}#{fragment}"
    if uri := to_uri(url):
        assert normalize(uri) == normalize(url) == normalize(normalize(url))
