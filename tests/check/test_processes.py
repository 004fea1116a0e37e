"""Checks by several processes: nothing is to be seen of it but the time it takes."""

import gzip
import os
import signal
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sitemapx.check import Finding, check
from sitemapx.check.checker import Checking
from sitemapx.check.file.observer import FileObserver
from sitemapx.check.schema import validator
from sitemapx.check.schema.validator import Refusals
from sitemapx.convert import Opener
from sitemapx.convert.formats.blockmap import BlockSource
from sitemapx.convert.parallel import blocks
from sitemapx.convert.xml.cutting.block import Block
from tests.convert.formats.richmarkup import mixed, rich_urlset
from tests.effort import slow
from tests.own_process import in_own_process

_USUAL = "<url><loc>https://e.example/{n}?a&amp;b</loc><lastmod>2024-05-0{d}</lastmod></url>\n"
#: What differs from it, in so many items one.
_UNUSUAL = {
    5: "<url><loc>https://e.example/{n}</loc><xhtml:link rel='alternate' hreflang='de' "
    "href='https://e.example/{n}'/><xhtml:link rel='alternate' hreflang='fr' "
    "href='https://e.example/{d}'/></url>\n",
    11: "<url><loc>https://e.example/it's/{n}?it's</loc></url>\n",
    13: "<url><lastmod>2024-05-0{d}</lastmod><loc>https://e.example/{n}</loc></url>\n",
    17: "<url><loc>https://e.example/{d}/</loc><lastmod>2024</lastmod></url>\n",
    29: "<url><loc>HTTPS://e.example:443/{d}</loc><lastmod>2124-05-04</lastmod></url>\n",
    31: "<url><loc>http://www.e.example/{n}#{d}</loc><priority>0.5</priority></url>\n",
    301: "<url><loc>https://e.example/ü {n}</loc></url>\n",
    700: "<url><loc>https://e.example/{n}</loc><priority>7</priority></url>\n",
    1100: "<url><loc>https://e.example/{n}</loc><weight>7</weight><lastmod>soon</lastmod></url>\n",
    1500: "<url><loc>/{n}</loc></url><url><lastmod>2024</lastmod></url>\n",
    1900: '<url><loc>https://e.example/{n}?a&b</loc><x xmlns="urn:x">{n}</x></url>\n',
    2300: '<url><loc>https://e.example/{n}</loc><i:image xmlns:i="https://www.google.com/schemas/'
    'sitemap-image/1.1"><i:loc>https://e.example/i.png</i:loc></i:image></url>\n',
    9000: "<url><loc>https://e.example/{n}</loc><u:v>x</u:v></url>\n",
}


def _items(count: int) -> list[str]:
    return mixed({1: _USUAL, **_UNUSUAL}, count)


def _found(sources: list[Path], jobs: int, **options: Any) -> tuple[list[Finding], Any]:
    result = check(list(map(str, sources)), opener=Opener(jobs=jobs), with_survey=True, **options)
    survey = result.survey
    assert survey
    counts = (result.codes, result.severities, result.fixable, result.refused, result.damaged)
    read = (result.files, result.entries, result.names, result.sources.keys(), survey.files)
    return result.findings, (counts, read, survey.undated)


@slow
@in_own_process
def test_same(tmp_path: Path) -> None:
    """However many processes there are, the findings are the same, and in order."""
    paths = [tmp_path / name for name in ("a.xml", "b.xml.gz", "feed.xml")]
    paths[0].write_bytes(rich_urlset(_items(20_000))[:-40])
    paths[1].write_bytes(gzip.compress(rich_urlset(_items(9000))))
    items = "\n".join(
        f"<item><link>https://e.example/{n % 900}</link><guid>{n % 5000}</guid>"
        f"<pubDate>{'soon' * (n % 700 == 0)}</pubDate></item>"
        for n in range(9000)
    )
    paths[2].write_text(f'<rss version="2.0"><channel>\n{items}\n</channel></rss>')
    alone = _found(paths, 1)

    assert len({finding.code for finding in alone[0]}) > 20
    for jobs in (2, 3, 0):
        assert alone == _found(paths, jobs)
    assert _found(paths, 1, codes=["not-a-url"]) == _found(paths, 2, codes=["not-a-url"])


@slow
@in_own_process
def test_others_inspect(tmp_path: Path) -> None:
    """Other processes look at blocks in which only URLs are odd, or which the schema refuses."""
    path = tmp_path / "sitemap.xml"
    kinds = [_UNUSUAL[11], _UNUSUAL[13]]
    path.write_bytes(rich_urlset([kinds[n % 2].format(n=n, d=1) for n in range(30_000)]))
    read: list[int] = []
    see_read = FileObserver.see_read

    def see(self: FileObserver, block: Block, source: BlockSource) -> None:
        read.append(len(block.data))
        see_read(self, block, source)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileObserver, "see_read", see)
        patch.setattr(blocks._BlockWorker, "to_do", 0)  # so that they read all they can
        found = _found([path], 2)

    assert sum(read) > path.stat().st_size * 0.8
    assert {"wrong-order", "loc-unusual"} <= {finding.code for finding in found[0]}
    assert found == _found([path], 1)


#: What the schema refuses, each in so many items one; the last only once in a file.
_REFUSED = {
    3: "<url><lastmod>2024</lastmod><loc>https://e.example/{n}</loc></url>\n",
    7: "<url><loc>https://e.example/{n}</loc><lastmod>2024-05-0{d}T10:00Z</lastmod></url>\n",
    11: "<url><loc>https://e.example/{n}</loc><xhtml:p>{n}</xhtml:p></url>\n",
    13: "<url><loc>https://e.example/{n}</loc><x xmlns='urn:x{d}'>{n}</x></url>\n",
    17: "<url><loc>https://e.example/{n}?it's</loc><priority>.5</priority></url>\n",
    4001: '<url><loc>https://e.example/{n}</loc><i:image xmlns:i="https://www.google.com/schemas/'
    'sitemap-image/1.1"><i:loc>https://e.example/i.png</i:loc></i:image></url>\n',
}


#: What begins only once there are several processes.
_LATER = "<url><loc>https://e.example/{n}</loc><xhtml:i>{n}</xhtml:i></url>\n"


@in_own_process
@slow
@pytest.mark.parametrize("most", [100, 2500, 1_000_000])
def test_others_judge(most: int, tmp_path: Path) -> None:
    """What the schema refuses is told once, in order, and not beyond the limit, as by one alone."""
    path = tmp_path / "sitemap.xml"
    items = mixed({1: _USUAL, **_REFUSED}, 20_000)
    items[9000::50] = [_LATER.format(n=n, d=1) for n in range(9000, 20_000, 50)]
    # With longer addresses, a block is judged at once, and others can do so.
    path.write_bytes(rich_urlset([item.replace("e/", f"e/{'long/' * 20}", 1) for item in items]))
    seen: list[object] = []
    see = Refusals.see

    def see_and_note(self: Refusals, root: Any, *, is_start: bool = False) -> bool:
        seen.append(root)
        return see(self, root, is_start=is_start)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validator, "_MOST_REFUSED", most)
        patch.setattr(Refusals, "see", see_and_note)
        alone = _found([path], 1)
        judged_alone = len(seen)
        for jobs in (2, 3, 0):
            assert _found([path], jobs) == alone
        seen.clear()
        patch.setattr(blocks._BlockWorker, "to_do", 0)  # so that they read all they can
        assert _found([path], 2) == alone

    codes = Counter(finding.code for finding in alone[0])
    assert codes["partly-judged"] == (most < 1_000_000)
    assert codes["xhtml-element"] == (2 if most == 1_000_000 else 1)
    assert codes["wrong-order"] > most / 10 or most == 1_000_000
    assert most < 1_000_000 or len(seen) < judged_alone / 3


@slow
@in_own_process
def test_damaged(tmp_path: Path) -> None:
    """What is found before a block is read, as in damaged gzip data, is told in its turn."""
    path = tmp_path / "sitemap.xml.gz"
    items = _items(20_000)
    items[9000] = f"<url><loc>https://e.example/x</loc>{'<a/>' * 50_001}</url>"
    items[18_000] = items[18_000].replace("</url>", "")
    data = gzip.compress(rich_urlset(items), 1)
    path.write_bytes(data[: -len(data) // 50])
    alone = _found([path], 1)

    assert {"bad-gzip", "entry-too-large"} <= {finding.code for finding in alone[0]}
    for jobs in (2, 3, 0):
        assert _found([path], jobs) == alone


@in_own_process
def test_workers_are_killed(tmp_path: Path) -> None:
    """A block that a killed worker should have inspected is checked without it."""
    path = tmp_path / "sitemap.xml"
    path.write_bytes(rich_urlset(_items(9000)))
    begin = blocks._BlockWorker.begin
    killed: list[blocks._BlockWorker] = []

    def begin_and_kill(self: blocks._BlockWorker, slot: int, block: Any) -> bool:
        has_begun = begin(self, slot, block)
        if len(killed) < 2 and block.line > 2000 and self not in killed:
            killed.append(self)
            os.kill(self._process, signal.SIGKILL)
            os.waitid(os.P_PID, self._process, os.WEXITED | os.WNOWAIT)
        return has_begun

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks._BlockWorker, "begin", begin_and_kill)
        found = _found([path], 3)
    assert len(killed) == 2
    assert found == _found([path], 1)


@slow
@in_own_process
def test_other_processes_report_nothing(tmp_path: Path) -> None:
    """A process that only reads keeps what it finds to itself, be it ever so much."""
    path = tmp_path / "sitemap.xml"
    path.write_bytes(rich_urlset([f"<url><loc>/{n}</loc></url>" for n in range(60_000)]))
    reporters = tmp_path / "reporters"

    def report(_finding: Finding) -> None:
        with reporters.open("a") as file:
            file.write(f"{os.getpid()}\n")

    with closing(Checking(report=report)) as checking:
        opener = checking.opener(Opener(jobs=2))
        for part in opener.open([str(path)], checking.report):
            assert not list(part.batches)

    assert {str(os.getpid())} == set(reporters.read_text().split())
