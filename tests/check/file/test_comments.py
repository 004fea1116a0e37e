"""Comments that disable rules in an XML file."""

import io
import time

import pytest

from sitemapx.check import RULES, check
from sitemapx.check.file.comments import disabled_rules

_BAD = "<url><loc>https://e.example/</loc><priority>7</priority></url>"
_URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
_IGNORE = "<!-- sitemapx: ignore bad-priority -->"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f'<?xml version="1.0"?>{_IGNORE}{_URLSET}{_BAD}</urlset>', []),
        (f"{_URLSET}<!-- by hand -->{_IGNORE}{_BAD}</urlset>", []),
        (f"<!DOCTYPE urlset>\n{_IGNORE}{_URLSET}{_BAD}</urlset>", ["doctype"]),
        (f"{_URLSET}{_BAD}{_IGNORE}</urlset>", ["bad-suppression", "bad-priority"]),
        (f"{_URLSET}{_BAD}<![CDATA[{_IGNORE}]]></urlset>", ["bad-priority", "stray-content"]),
        (f"<!-- <!-- sitemapx: ignore -->{_URLSET}{_BAD}</urlset>", ["bad-priority"]),
    ],
    ids=["prolog", "root", "doctype", "too-late", "in-cdata", "inside-comment"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_comment_before_first_element_disables_rule(
    text: str, codes: list[str], encoding: str
) -> None:
    others = RULES.keys() - {"not-utf8", "malformed", "schema"}
    result = check([io.BytesIO(text.encode(encoding))], codes=others)

    assert codes == [finding.code for finding in result.findings]
    assert result.suppressed == (0 if "bad-priority" in codes else 1)


def test_mistakes_name_the_line() -> None:
    text = "<!-- sitemapx: ignore bad-dat -->\n<!--sitemapx:ignore-->\n<!-- sitemapx.org: x -->"

    assert (
        (1, "unknown rule 'bad-dat'. Did you mean 'bad-date'?"),
        (2, "invalid comment 'sitemapx:ignore': expected ignore CODE"),
    ) == disabled_rules(text.encode(), RULES).mistakes


@pytest.mark.parametrize("part", ["<!--", "<?", "<!DOCTYPE", "<a", "<", "<!-- sitemapx:"])
def test_unclosed_markup_is_read_in_linear_time(part: str) -> None:
    start = b"sitemapx" + part.encode() * (2**20 // len(part))
    began = time.process_time()

    assert not disabled_rules(start, RULES).codes
    assert time.process_time() - began < 5
