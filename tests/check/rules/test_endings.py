"""URLs with and without trailing slash are counted alike, all at once or one by one."""

from hypothesis import example, given
from hypothesis import strategies as st

from sitemapx.check.rules.duplicates import (
    _endings,
    _with_other_slash,
    _with_other_slashes,
)

_HOSTS = ("https://e.example", "http://localhost", "https://e.example:81")
_PARTS = ("/", "/x", "/y.html", "?q", "?q=/", "//", ".", "é", "/z/")
_urls = st.builds(
    "{}{}".format,
    st.sampled_from(_HOSTS),
    st.lists(st.sampled_from(_PARTS), max_size=4).map("".join),
)


@given(st.lists(_urls, max_size=5))
@example(["https://e.example/", "https://e.example/a", "https://e.example/b/"])
@example(["http://localhost", "https://e.example/a?b/", "https://e.example/a.html"])
def test_endings_are_counted_by_slash(urls: list[str]) -> None:
    paths = [url for url in urls if url.find("/", 8) >= 0 and _with_other_slash(url)]
    with_slash = sum(url.endswith("/") for url in paths)

    assert _endings("\n".join([*urls, ""])) == [len(paths) - with_slash, with_slash]


@given(st.lists(_urls | st.sampled_from(["", "/", "//", "x", "a\nb", "\0/"]), max_size=5))
def test_bulk_and_single_slash_variants_agree(urls: list[str]) -> None:
    others = _with_other_slashes(urls, "\n".join([*urls, ""]))

    assert len(urls) == len(others)
    for url, other in zip(urls, others, strict=True):
        assert _with_other_slash(url) in (other, "")
