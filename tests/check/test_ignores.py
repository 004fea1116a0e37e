"""Rules that are disabled in some files."""

import pytest

from sitemapx.check.suppressions import FileIgnores


@pytest.mark.parametrize(
    ("pattern", "source", "is_ignored"),
    [
        ("old-*.xml", "public/old-1.xml", True),
        ("public/*.xml", "./public/a.xml", True),
        ("public/*.xml", "private/a.xml", False),
        ("https://example.com/*", "https://example.com/a.xml", True),
        ("**/drafts/*.xml", "drafts/a.xml", True),
        ("**/drafts/*.xml", "public/blog/drafts/a.xml", True),
        ("public/**/a.xml", "public/a.xml", True),
        ("public/**/a.xml", "public/b/c/a.xml", True),
        ("public/**/a.xml", "public/bca.xml", False),
        ("!public/*.xml", "public/a.xml", False),
        ("!public/*.xml", "private/a.xml", True),
    ],
)
def test_pattern_matches_names_paths_and_urls(pattern: str, source: str, is_ignored: bool) -> None:
    ignores = FileIgnores([(pattern, ["bad-date"])])

    assert is_ignored == ("bad-date" in ignores.codes(source))
