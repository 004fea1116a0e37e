"""Short files have exactly the expected findings, with their codes and lines."""

import io
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from sitemapx.check.checker import check
from sitemapx.check.file import filefindings
from sitemapx.check.findings import Finding
from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import codes_of, severities
from sitemapx.cli.app import run
from sitemapx.convert import Opener
from sitemapx.convert.model.problems import Severity
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.errors import UnknownNameError, UsageError
from tests.check.rules.test_rules import FOLDER
from tests.check.test_mutations import END, START
from tests.effort import slow

#: Rules whose examples are as large as a sitemap may be.
_HUGE = {"too-large", "too-many-bytes"}
FAILS = [
    pytest.param(path, id=code, marks=slow if code in _HUGE else ())
    for path in sorted(FOLDER.glob("*/fails.*"))
    if path.is_file() and (code := path.parent.name)
]


def check_text(path: Path, text: str, select: str = "*", url: str | None = None) -> list[Finding]:
    """Write a text to a file and check it; return the findings."""
    path.write_text(text, errors="surrogateescape")
    findings: list[Finding] = []
    check([path], opener=Opener(url=url), codes=codes_of([select]), report=findings.append)
    return findings


def make_video(inside: str) -> str:
    """Return a sitemap with a video, whose last elements are `inside`, on a line of their own."""
    return (
        f"{START}<url><loc>https://e.example/page</loc><video:video>"
        "<video:thumbnail_loc>https://e.example/a.png</video:thumbnail_loc><video:title>T</video:title>"
        "<video:description>D</video:description>"
        "<video:content_loc>https://e.example/a.mp4</video:content_loc>"
        f"\n{inside}</video:video></url>{END}"
    )


def make_news(inside: str) -> str:
    """Return a sitemap with a news article, whose last elements are `inside`."""
    return (
        f"{START}<url><loc>https://e.example/page</loc><news:news>\n{inside}</news:news></url>{END}"
    )


@pytest.fixture(autouse=True)
def _fixed_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")


@pytest.mark.parametrize(
    ("text", "select", "expected"),
    [
        pytest.param(
            make_video('<video:uploader info="https://[bad/">Me</video:uploader>'),
            *("video-*", ["video-uploader:4"]),
            id="an uploader whose address cannot be one",
        ),
        pytest.param(
            make_video("<video:duration>0</video:duration>"),
            *("bad-duration", ["bad-duration:4"]),
            id="a code that is found beside its own rules",
        ),
        pytest.param(
            make_video("<video:publication_date>2027-01-01</video:publication_date>"),
            *("date-*", ["date-in-future:4"]),
            id="a video to come",
        ),
        pytest.param(
            f"{START}<!-- caf\udce9 --><url><loc>https://e.example/</loc></url>{END}",
            *("wrong-encoding", ["wrong-encoding:3 schema"]),
            id="a comment in another encoding",
        ),
        pytest.param(
            f"{START}<url>\n<lastmod>2026-01-01</lastmod><loc>/a</loc></url>{END}",
            *("wrong-order", ["wrong-order:4 schema"]),
            id="what is wrong in a file without an entry that can be read",
        ),
        pytest.param(
            START.replace("<urlset", '\n<n:urlset\nxmlns:n="urn:n"')
            + "<url><loc>https://e.example/</loc></url></n:urlset>",
            *("namespace", ["namespace:4 schema"]),
            id="a root of another namespace",
        ),
        pytest.param(
            f"{START}<url><loc>https://e.example/</loc></url>{END}".replace("http:", "https:"),
            *("namespace", ["namespace:2 schema"]),
            id="a namespace where it is declared",
        ),
        pytest.param(
            START.replace(
                "www.google.com/schemas/sitemap-image", "www.sitemaps.org/schemas/image"
            ).replace("schemas/image", "schemas/sitemap-image")
            + f"<url><loc>https://e.example/</loc>\n<image:image><image:loc>https://e.example/a.png"
            f"</image:loc></image:image></url>{END}",
            *("namespace", ["namespace:2 schema"]),
            id="the namespace of an extension, misspelt",
        ),
        pytest.param(
            f"{START}<url><loc>https://e.example/</loc></url>"
            f"<url><loc>https://-a.example/x</loc></url>{END}",
            *("loc-host", ["loc-host:3"]),
            id="a host that cannot be",
        ),
        pytest.param(
            make_video('<video:restriction relationship="allow">UK USA</video:restriction>'),
            *("*", ["video-country:4", "video-country:4 schema"]),
            id="what a rule tells, the schema does not tell again",
        ),
        pytest.param(
            f"{START}<url><loc>https://e.example/</loc>\n"
            '<xhtml:link rel="alternate" hreflang="en_US" href="https://e.example/"/>\n'
            f'<xhtml:link rel="alternate" hreflang="" href="https://e.example/"/></url>{END}',
            *("*", ["hreflang-code:4 schema", "schema:5 schema", "hreflang-no-default:3"]),
            id="of two values in an entry, the schema reports the one that no rule does",
        ),
        pytest.param(
            '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title>'
            "<link>https://e.example/</link><description>D</description>"
            '<atom:link rel="self" href="https://e.example/feed"/>'
            '<atom:link rel="hub" href="https://a.example/"/>\n'
            '<atom:link rel="hub" href="https://b.example/"/>'
            "<item><title>T</title><link>https://e.example/a</link><guid>https://e.example/a</guid>"
            "<pubDate>Sun, 20 Sep 2026 10:00:00 GMT</pubDate></item></channel></rss>",
            *("*", []),
            id="a feed with several hubs",
        ),
        pytest.param(
            "https://e.example\nhttps://E.example/\nhttps://e.example/\nhttps://E.example/\n",
            *("*-loc", ["equivalent-loc:2", "equivalent-loc:3", "duplicate-loc:4"]),
            id="spellings of one URL",
        ),
        pytest.param(
            "http://e.example/a\nhttps://e.example/a\nhttps://www.e.example/a\n",
            *("duplicate-[sw]*", ["duplicate-scheme:2", "duplicate-www:3"]),
            id="the nearest twin",
        ),
        pytest.param(
            "https://e.example/a\nhttps://e.example/b/\nhttps://e.example/b\nhttps://e.example/a/",
            *("duplicate-slash", ["duplicate-slash:3", "duplicate-slash:4"]),
            id="both with a slash and without",
        ),
    ],
)
def test_findings_have_code_and_line(
    text: str, select: str, expected: list[str], tmp_path: Path
) -> None:
    findings = check_text(tmp_path / "a.xml", text, select)
    codes = [f"{finding.code}:{finding.line}{' schema' * finding.schema}" for finding in findings]
    assert expected == codes


@pytest.mark.parametrize("path", FAILS)
def test_single_code_finds_the_same_as_all(path: Path) -> None:
    findings: list[Finding] = []
    check([path], report=findings.append)
    for code in {finding.code for finding in findings}:
        alone: list[Finding] = []
        check([path], codes=codes_of([code]), report=alone.append)
        assert [
            replace(finding, fixable=False) for finding in findings if finding.code == code
        ] == [replace(one, fixable=False) for one in alone if one.code == code]


@pytest.mark.parametrize("path", FAILS)
def test_totals_are_independent_of_sums(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: Counter[str] = Counter()
    whole = check([path], report=lambda one: told.update({one.code: one.times}))
    monkeypatch.setattr(filefindings, "_MOST_ALIKE", 0)
    summed = check([path])

    assert whole.codes == told
    assert (whole.codes, whole.severities) == (summed.codes, summed.severities)
    assert whole.schema_invalid == summed.schema_invalid


def test_index_that_lists_itself_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    path.write_text(
        f'<sitemapindex xmlns="{space}">\n<sitemap><loc>https://e.example/a.xml</loc></sitemap>'
        "</sitemapindex>"
    )
    opener = Opener(mappings=[UrlMap.create("https://e.example/", str(tmp_path))])
    for url in (None, "https://e.example/a.xml"):
        findings: list[Finding] = []
        check([path], opener=opener._replace(url=url), report=findings.append)
        assert ["duplicate-sitemap:2", "nested-index:2"] == [
            f"{finding.code}:{finding.line}" for finding in findings
        ]


def test_unreadable_file_is_not_taken_for_a_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("files.example").write_text("unknown")
    findings: list[Finding] = []
    check(["files.example"], report=findings.append)

    assert ["unreadable"] == [finding.code for finding in findings]
    assert "host" not in findings[0].message


@pytest.mark.parametrize("selected", ["bad-*", "zip", "*"])
def test_ignoring_all_selected_rules_is_rejected(selected: str) -> None:
    with pytest.raises(UsageError, match="no rules left"):
        codes_of([selected], [selected])


def test_ignoring_some_selected_rules_is_accepted() -> None:
    codes = codes_of(["zip", "bad-date"], ["bad-date"])
    assert "zip" in codes
    assert "bad-date" not in codes


def test_findings_on_the_file_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filefindings, "_MOST_KEPT", 0)
    feed = f'<rss version="2.0"><channel><title>T</title>{"<item></item>" * 30_000}</channel></rss>'

    assert check_text(tmp_path / "a.xml", feed)[0].code == "feed-without-self"


def test_sums_are_in_the_order_of_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filefindings, "_MOST_ALIKE", 0)
    urls = "".join(f"https://e.example/{number % 10}#a\n" for number in range(20_000))
    sums = check_text(tmp_path / "a.txt", urls, "*")
    lines = [one.line or 0 for one in sums]

    assert len(set(lines)) > 1
    assert lines == sorted(lines)
    assert [one.code for one in sums[:2]] == ["loc-fragment", "duplicate-loc"]


@pytest.mark.parametrize("engine", [None, "google", "bing", "yandex"])
def test_rules_of_an_engine_apply_to_it_alone(engine: str | None) -> None:
    rules = {code for code, rule in RULES.items() if rule.requires.startswith("engine ")}
    enabled = severities(engine, dict.fromkeys(rules, "error"))

    assert {code for code in rules if code.startswith(f"{engine}-")} == enabled.keys() & rules


def test_selected_rule_of_an_engine_requires_the_engine(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"https://example.com/{'a' * 1020}\n")
    command = ["check", str(tmp_path / "a.txt"), "--select", "yandex-url-length", "--engine"]

    assert 1 == run([*command, "yandex"])
    with pytest.raises(UsageError, match="--select yandex-url-length requires --engine yandex"):
        run([*command, "bing"])


def test_missing_times_are_one_finding_of_a_file(tmp_path: Path) -> None:
    rows = "".join(
        f"<url><loc>https://example.com/{n}</loc><lastmod>2026-01-0{n % 9 + 1}"
        f"{'T10:00:00Z' * (n < 1000)}</lastmod></url>\n"
        for n in range(5000)
    )
    path = tmp_path / "a.xml"
    path.write_text(f"{START}{rows}{END}")
    (found,) = check([path], codes=["bing-lastmod-time"], engine="bing").findings

    assert "4,000 of 5,000 lastmod values have no time of day" == found.message
    assert START.count("\n") + 1001 == found.line


def test_severity_overrides_the_rule_and_the_engine() -> None:
    text = b"https://e.example/#a\nhttps://e.example/b c\n"
    codes = ("loc-fragment", "loc-character", "same-priority")

    def levels(**changed: Severity) -> dict[str, Severity]:
        severity: dict[str, Severity] = {
            code.replace("_", "-"): level for code, level in changed.items()
        }
        found = check([io.BytesIO(text)], codes=codes, engine="google", severity=severity).findings
        return {finding.code: finding.severity for finding in found}

    usual = levels()
    assert {"loc-fragment", "loc-character"} == usual.keys()
    assert usual | {"loc-fragment": "note"} == levels(loc_fragment="note")
    with pytest.raises(UnknownNameError, match="loc-fragmnt"):
        levels(loc_fragmnt="error")
