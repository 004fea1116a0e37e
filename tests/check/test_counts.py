"""Findings are counted correctly, even if one finding stands for many."""

import io

import pytest

from sitemapx.check.checker import check
from sitemapx.check.findings import Finding
from sitemapx.convert import Problem, convert, target_of

_COUNT = 12_000
_SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">%s</urlset>'
_ITEM = "<url><loc>https://e.example/%d?a%sb</loc></url>"


def _many(sign: str, count: int) -> bytes:
    return (_SITEMAP % "".join(_ITEM % (number, sign) for number in range(count))).encode()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (_many("&", _COUNT), "unescaped"),
        ((_SITEMAP % (_ITEM % (1, "&" * _COUNT))).encode(), "unescaped"),
        (_many("&nbsp;", _COUNT), "malformed"),
        (_many("\x01", _COUNT), "illegal-character"),
        (_many("é", _COUNT), "loc-non-ascii"),
    ],
)
def test_counts_of_findings_add_up(data: bytes, code: str) -> None:
    findings: list[Finding] = []
    checked = check([io.BytesIO(data)], report=findings.append)
    assert sum(finding.times for finding in findings if finding.code == code) == _COUNT
    assert sum(finding.times for finding in findings) == sum(checked.severities.values())


def test_conversion_counts_as_check_does() -> None:
    problems: list[Problem] = []
    data = io.BytesIO(_many("&", _COUNT))
    summary = convert([data], target_of("/dev/null", format="text"), report=problems.append)
    assert summary.problems["unescaped"] == sum(problem.times for problem in problems) == _COUNT
