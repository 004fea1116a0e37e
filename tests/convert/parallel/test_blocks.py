"""Documents that several processes read: nothing is to be seen of it but the time it takes."""

import errno
import gzip
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sitemapx.convert import Entry, Opener, Problem, Safeguards, convert, target_of
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.reader import read_sitemap
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.parallel import blocks
from sitemapx.convert.parallel.slots import SharedSlots
from sitemapx.convert.parallel.workers import BlockWorkers
from tests.convert.documents import Dribble
from tests.convert.formats.richmarkup import mixed, rich_urlset
from tests.effort import seeds, slow
from tests.own_process import in_own_process

_SITE = "https://e.example/"
_USUAL = "<url><loc>https://e.example/{n}?a&amp;b</loc><lastmod>2024-05-0{d}</lastmod></url>\n"
#: What differs from it, in so many items one.
_UNUSUAL = {
    3: "<url><loc>https://e.example/{n}</loc><image:image><image:loc>https://e.example/{n}.png"
    "</image:loc></image:image><xhtml:link rel='alternate' hreflang='de' href='https://e.example/'/>"
    "</url>\n",
    700: "<url><loc>https://e.example/{n}</loc><priority>7</priority></url>\n",
    1100: "<url><loc>https://e.example/{n}</loc><weight>7</weight><lastmod>soon</lastmod></url>\n",
    1500: "<url><loc>/{n}</loc></url><url><lastmod>2024</lastmod></url>\n",
    1900: '<url><loc>https://e.example/{n}?a&b</loc><x xmlns="urn:x">{n}</x></url>\n',
    2300: '<url><loc>https://e.example/{n}</loc><i:image xmlns:i="https://www.google.com/schemas/'
    'sitemap-image/1.1"><i:loc>https://e.example/i.png</i:loc></i:image></url>\n',
    2700: "<url><loc>https://e.example/{n}</loc><lastmod>Wed, 08 May 2024 08:53:11 IST</lastmod>"
    "</url>\n",
    9000: "<url><loc>https://e.example/{n}</loc><u:v>x</u:v></url>\n",
}


def _items(count: int) -> list[str]:
    return mixed({1: _USUAL, **_UNUSUAL}, count)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a sitemap of some forty blocks, with problems here and there, and an end that is cut."""
    path = tmp_path_factory.mktemp("blocks") / "sitemap.xml"
    path.write_bytes(rich_urlset(_items(40_000))[:-40])
    return path


def _converted(source: Path, folder: Path, jobs: int, **options: Any) -> tuple[list[bytes], Any]:
    problems: list[Problem] = []
    sizes: list[int] = []
    (folder / "outputs").mkdir(exist_ok=True)
    summary = convert(
        [str(source)],
        target_of(str(folder / "outputs" / "output"), **options),
        opener=Opener(jobs=jobs),
        safeguards=Safeguards(partial=True),
        report=problems.append,
        progress=lambda entries, size: sizes.append(size),
    )
    parts = [file.path for file in summary.files if not file.is_index]
    written = [Path(path).read_bytes() for path in parts]
    shutil.rmtree(folder / "outputs")
    return written, (problems, summary.read, summary.problems, summary.written, sizes[-1])


_FORMS: dict[str, dict[str, Any]] = {
    "text": {"format": "text"},
    "jsonl": {"format": "jsonl"},
    "csv": {"format": "csv"},
    "feed": {"format": "rss"},
    "set": {"format": "sitemap", "base_url": _SITE, "max_urls": 7000},
}


@slow
@pytest.mark.parametrize("form", _FORMS)
@in_own_process
def test_same(form: str, document: Path, tmp_path: Path) -> None:
    """However many processes there are, the bytes and problems are the same, and in order."""
    before = _children()
    alone = _converted(document, tmp_path, 1, **_FORMS[form])
    assert len({problem.code for problem in alone[1][0]}) > 5
    for jobs in (2, 3, 0):
        assert alone == _converted(document, tmp_path, jobs, **_FORMS[form])
    assert _children() == before


_FEED_ITEMS = {
    1: "<item><title>{n}</title><link>https://e.example/{n}</link></item>",
    7: "<item><link>https://e.example/{n}</link><media:content url='https://e.example/{n}.mp4' "
    "medium='video' height='9'/><pubDate>Wed, 08 May 2024 08:53:11 IST</pubDate></item>",
    500: "<item><link>https://e.example/{n}</link><pubDate>soon</pubDate></item>",
    900: "<item><title>{n}</title></item>",
    1300: "<item><link>/{n}</link><media:content duration='x' url='https://e.example/v'/></item>",
    2100: "<item><link>https://e.example/{n}</link><title>a & b</title></item>",
}


@slow
@in_own_process
def test_feeds(tmp_path: Path) -> None:
    """Items of feeds have their problems reported and counted in order, too."""
    items = mixed(_FEED_ITEMS, 30_000)
    start = '<rss xmlns:media="http://search.yahoo.com/mrss/" version="2.0"><channel>\n'
    path = tmp_path / "feed.xml"
    path.write_text(f"{start}{chr(10).join(items)}\n</channel></rss>")
    alone = _converted(path, tmp_path, 1, format="jsonl")
    assert len({problem.code for problem in alone[1][0]}) > 4
    for jobs in (2, 0):
        assert alone == _converted(path, tmp_path, jobs, format="jsonl")


def _children() -> set[int]:
    numbers = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return set(map(int, numbers))


class _Counting(BlockWorkers):
    """Counts what came encoded, and can kill its workers."""

    def __init__(self, number: int) -> None:
        super().__init__(number, lambda batches, report: map(_Marked, batches), is_asked_for=True)


class _Marked(Batch):
    """A batch that a worker made."""

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch.entries)
        self.maker = os.getpid()


def _read(data: bytes, number: int, size: int = 4000) -> tuple[list[Entry], list[str], list[Batch]]:
    problems: list[str] = []
    context = Context(lambda problem: problems.append(problem.code))
    if number:
        context.blocks = _Counting(number)
    batches = list(read_sitemap(Dribble(data, size), context).batches)
    return [entry for batch in batches for entry in batch.entries], problems, batches


@in_own_process
def test_who_reads() -> None:
    """Workers read what is regular; blocks with problems are read in their turn."""
    data = rich_urlset(_items(5000))
    alone = _read(data, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks._BlockWorker, "to_do", 0)
        entries, problems, batches = _read(data, 3)
    assert (entries, problems) == alone[:2]
    makers = [batch.maker for batch in batches if isinstance(batch, _Marked)]
    assert len({*makers}) == 2
    assert 0 < len(batches) - len(makers) < len(batches) / 4


@in_own_process
def test_this_reads() -> None:
    """While the workers have enough to do, this process reads as many blocks as each of them."""
    data = rich_urlset([_USUAL.format(n=n, d=1) for n in range(5000)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks._BlockWorker, "to_do", blocks._ENOUGH)
        entries, problems, batches = _read(data, 3)
    assert (entries, problems) == _read(data, 0)[:2]
    here = [number for number, batch in enumerate(batches) if not isinstance(batch, _Marked)]
    assert len(here) > 10
    assert here == [*range(0, len(batches), 3)]


@in_own_process
def test_workers_are_killed() -> None:
    """What a worker should have read is read without it."""
    data = rich_urlset(_items(5000))
    begin = blocks._BlockWorker.begin
    killed: list[blocks._BlockWorker] = []

    def begin_and_kill(self: blocks._BlockWorker, slot: int, block: Any) -> bool:
        has_begun = begin(self, slot, block)
        if len(killed) < 2 and block.line > 1000 and self not in killed:
            killed.append(self)
            os.kill(self._process, signal.SIGKILL)
            os.waitid(os.P_PID, self._process, os.WEXITED | os.WNOWAIT)
        return has_begun

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks._BlockWorker, "begin", begin_and_kill)
        found = _read(data, 3)
    assert len(killed) == 2
    assert found[:2] == _read(data, 0)[:2]


@slow
@in_own_process
@pytest.mark.parametrize("most", [0, 1, 2])
def test_fewer_workers(most: int) -> None:
    """Where there cannot be so many processes, those that there are read all."""
    data = rich_urlset(_items(5000))
    fork, begun = os.fork, list[int]()

    def fork_some() -> int:
        if len(begun) == most:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        begun.append(1)
        return fork()

    files = len(os.listdir("/proc/self/fd"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fork", fork_some)
        entries, problems, batches = _read(data, 5)
    assert (entries, problems) == _read(data, 0)[:2]
    makers = {batch.maker for batch in batches if isinstance(batch, _Marked)}
    assert len(makers) == len(begun) == most
    assert len(os.listdir("/proc/self/fd")) == files


@slow
@in_own_process
def test_large_items() -> None:
    """A block, or what is made of it, that has no room in the shared memory is read here."""
    large = "<url><loc>https://e.example/{n}</loc><image:image><image:loc>https://e.example/i</image:loc>"
    large += f"<image:title>{'x&lt;' * 400_000}</image:title></image:image></url>"
    items = [
        large.replace("{n}", str(n)) if n in (50, 90) else _USUAL.format(n=n, d=1)
        for n in range(200)
    ]
    data = rich_urlset(items)
    assert _read(data, 2)[:2] == _read(data, 0)[:2]


@slow
@in_own_process
@pytest.mark.parametrize("number", [300, 3000, 4990])
def test_items_within_items(number: int) -> None:
    """A block that was cut within an item is cut anew, with all that workers were ahead with."""
    items = [_USUAL.format(n=n, d=1) for n in range(5000)]
    inner = "".join(_USUAL.format(n=f"inner/{n}", d=1) for n in range(3000))
    outer = f'{_SITE}{number}?a&amp;b</loc><archive xmlns="urn:x">{inner}</archive>'
    items[number] = f"<url><loc>{outer}</url>\n"
    data = rich_urlset(items)
    entries, problems, batches = _read(data, 3)
    assert (entries, problems) == _read(data, 0)[:2]
    assert [entry.loc for entry in entries] == [f"{_SITE}{n}?a&b" for n in range(5000)]
    assert {getattr(batch, "maker", None) for batch in batches} > {None}


@in_own_process
def test_threads() -> None:
    """Where there are other threads, of which a copy would have none, this process reads all."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        batches = _read(rich_urlset(_items(2000)), 2)[2]
    finally:
        done.set()
        thread.join()
    assert not any(isinstance(batch, _Marked) for batch in batches)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ended(number: signal.Signals, document: Path, tmp_path: Path) -> None:
    """A signal ends all processes, with the usual status."""
    command = [sys.executable, "-m", "sitemapx", "convert", str(document), "-q", "--to", "jsonl"]
    command += ["--jobs", "2"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, start_new_session=True) as process:
        assert process.stdout
        process.stdout.read(1)  # no more: it waits for somebody to read the rest
        if number == signal.SIGKILL:
            process.kill()
        else:
            os.killpg(process.pid, number)
        process.communicate()  # to the end, which comes when no process is left
    expected = -number if number == signal.SIGKILL else 128 + number
    assert process.returncode == expected


@in_own_process
def test_errors() -> None:
    """An error of the stream comes after what was read before it."""

    class Broken(io.RawIOBase):
        def __init__(self) -> None:
            self._data = io.BytesIO(rich_urlset(_items(3000)))

        def read(self, size: int = -1, /) -> bytes:
            if self._data.tell() > 200_000:
                raise OSError("broken")
            return self._data.read(min(size, 4000))

    found: list[list[str]] = []
    for number in (0, 2, 3):
        context = Context()
        if number:
            context.blocks = _Counting(number)
        locs: list[str] = []
        with pytest.raises(OSError, match="broken"):
            locs.extend(
                loc for batch in read_sitemap(Broken(), context).batches for loc in batch.locs()
            )
        found.append(locs)
    assert len(found[0]) > 1000
    assert found == [found[0]] * 3


#: What damages an item.
_DAMAGES: list[Callable[[str], str]] = [
    lambda item: item.replace("</url>", ""),
    lambda item: item.replace("<url>", "<url><url>"),
    lambda item: item.replace("url>", "Url>"),
    lambda item: item.replace("</loc>", "&</loc>"),
    lambda item: item.replace("</loc>", "\1</loc>"),
    lambda item: item.replace("<loc>", "<l\xff oc>"),
    lambda item: item.replace("</url>", f"{'<a/>' * 50_001}</url>"),
    lambda item: f"text {item}",
    lambda item: f"<!-- {item}",
    lambda item: f"{item} -->",
]


@pytest.mark.parametrize("seed", seeds(1, 12))
@in_own_process
def test_damaged(seed: int, tmp_path: Path) -> None:
    """Wherever a document is damaged, the problems are the same, and in order."""
    drawn = random.Random(seed)
    items = _items(15_000)
    for number in drawn.sample(range(len(items)), drawn.choice([1, 5, 30])):
        items[number] = drawn.choice(_DAMAGES)(items[number])
    data = rich_urlset(items)
    end = drawn.choice([b"", b"junk", b"<url>"])
    path = tmp_path / drawn.choice(["sitemap.xml", "sitemap.xml.gz"])
    data = data.removesuffix(b"</urlset>") if drawn.random() < 0.3 else data + end
    if path.suffix == ".gz":
        data = gzip.compress(data, 1)
        data = data[: -len(data) // 5] if drawn.random() < 0.5 else data
    path.write_bytes(data)

    alone = _converted(path, tmp_path, 1, format="jsonl")
    for jobs in (2, 5):
        assert _converted(path, tmp_path, jobs, format="jsonl") == alone


@slow
@pytest.mark.parametrize("first", [900, 2900, 5000])
@in_own_process
def test_cut_anew(first: int, tmp_path: Path) -> None:
    """Where no item ends any more, what one process reads at once, several do as well."""
    items = _items(40_000)
    items[first] = items[first].replace("<url>", "<url><url>")
    items[first + 1 :: 400] = [
        item.replace("</loc>", "&</loc>") for item in items[first + 1 :: 400]
    ]
    path = tmp_path / "sitemap.xml"
    path.write_bytes(rich_urlset(items))
    alone = _converted(path, tmp_path, 1, format="jsonl")
    for jobs in (2, 3, 5):
        assert _converted(path, tmp_path, jobs, format="jsonl") == alone


def test_closed_while_read() -> None:
    """Memory that something still looks at, as after an interruption, is no error to close."""
    slots = SharedSlots(1)
    with slots.read(0, 4) as view:
        slots.close()
        assert len(view) == 4
