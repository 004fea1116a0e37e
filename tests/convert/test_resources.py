"""Malicious or very long input takes limited memory and time."""

import json
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import PATIENCE
from tests.convert.documents import SITEMAP
from tests.effort import slow

pytest.importorskip("resource", reason="limits of processes are those of Unix")

_MB = 1 << 20
#: Runs a command with little address space and time; prints its status and its peak memory.
_LAUNCHER = """
import json, resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
said = done.stderr.decode("utf-8", "replace")
print(json.dumps([done.returncode, peak, "Traceback" in said, said[-300:]]))
"""


class _Run(NamedTuple):
    status: int
    peak: int
    has_traceback: bool
    end_of_stderr: str


def _convert(path: Path, pieces: Iterable[bytes], *, to: str = "text") -> _Run:
    with path.open("wb") as file:
        file.writelines(pieces)
    command = [sys.executable, "-m", "sitemapx", "convert", str(path), "--to", to]
    done = subprocess.run(
        [sys.executable, "-c", _LAUNCHER, *command],
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    path.unlink()
    return _Run(*json.loads(done.stdout))


_START = f'<?xml version="1.0"?>\n<urlset xmlns="{SITEMAP}">\n'.encode()
_URL = b"<url><loc>https://e.example/a</loc></url>\n"


def _bomb() -> Iterator[bytes]:
    """Yield a gigabyte of spaces as gzip data: one compressed piece, repeated."""
    packer = zlib.compressobj(wbits=31)
    yield packer.compress(_START + _URL) + packer.flush(zlib.Z_FULL_FLUSH)
    yield from [packer.compress(b" " * _MB) + packer.flush(zlib.Z_FULL_FLUSH)] * 1024
    yield packer.flush()


def _nested() -> Iterator[bytes]:
    yield _START + _URL + b"<url><loc>https://e.example/b</loc>"
    yield b"<x>" * 10_000 + b"</x>" * 10_000
    yield b"</url></urlset>"


def _one_text() -> Iterator[bytes]:
    yield _START + b"<url><loc>https://e.example/"
    yield from [b"a" * _MB] * 20
    yield b"</loc></url></urlset>"


def _repeated(piece: bytes, size: int) -> Iterator[bytes]:
    yield _START + _URL
    yield from [piece * (_MB // len(piece))] * (size // _MB)


def _unclosed_quote() -> Iterator[bytes]:
    yield b'loc,title\nhttps://e.example/a,"'
    line = b"https://e.example/b," + b"t" * 235 + b"\n"
    yield from [line * (_MB // len(line))] * 30


_RSS = b'<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>\n'
_ITEM = b"<item><link>https://e.example/a</link></item>\n"


def _one_item() -> Iterator[bytes]:
    """Yield an item of 50 MB between two others."""
    yield _RSS + _ITEM + b"<item><link>https://e.example/b</link><description>"
    yield from [b"words " * (_MB // 6)] * 50
    yield b"</description></item>" + _ITEM + b"</channel></rss>"


def _broken_items() -> Iterator[bytes]:
    """Yield items that only feedparser can read."""
    yield _RSS
    yield from [b"<item><link>https://e.example/a</link><title>a & b<br></title></item>\n"] * 3000
    yield b"</channel></rss>"


def _broken_item(piece: bytes, size: int) -> Iterator[bytes]:
    """Yield an unclosed item of repeated pieces between two others."""
    yield _RSS + _ITEM + b"<item><title>t</title><description>"
    yield piece * (size // len(piece))
    yield b"</description></item>" + _ITEM + b"</channel></rss>"


_HOSTILE: dict[str, Callable[[], Iterator[bytes]]] = {
    "bomb": _bomb,
    "nesting": _nested,
    "text": _one_text,
    "start tags": lambda: _repeated(b"<url>", 4 * _MB),
    "comments": lambda: _repeated(b"<!--", 10 * _MB),
    "instructions": lambda: _repeated(b"<?", 10 * _MB),
    "long name": lambda: iter([_START + _URL + b"<" + b"a" * 40_000]),
    "long name first": lambda: iter([b"<" + b"a" * 40_000]),
    "quote": _unclosed_quote,
    "item": _one_item,
    "broken items": _broken_items,
    "tags in an item": lambda: _broken_item(b"<b>y", 6 * _MB),
    "comments in an item": lambda: _broken_item(b"<!--", 6 * _MB),
    "sections in items": lambda: _broken_item(b"<![CDATA[</item><item>", _MB),
    "instructions in items": lambda: _broken_item(b"<?x </item><item><link>/</link>", _MB),
    "start tags of items": lambda: iter([_RSS, _ITEM, b"<item>" * (_MB // 6)]),
}


#: Kinds of which one suffices by default.
_QUICK = ("bomb", "nesting", "quote", "item", "broken items")


@pytest.mark.parametrize(
    "name", [name if name in _QUICK else pytest.param(name, marks=slow) for name in _HOSTILE]
)
def test_hostile_input_takes_little_memory_and_no_traceback(name: str, tmp_path: Path) -> None:
    run = _convert(tmp_path / "in", _HOSTILE[name]())
    assert run.status in (0, 1), run.end_of_stderr
    assert not run.has_traceback, run.end_of_stderr
    assert run.peak < 400 * _MB


def _urls(count: int) -> Iterator[bytes]:
    yield _START
    for number in range(count):
        loc = f"https://e.example/{number * 7919 % 1000003:07}"
        yield f"<url><loc>{loc}</loc><lastmod>2024-05-08</lastmod></url>\n".encode()
    yield b"</urlset>\n"


def _items(count: int) -> Iterator[bytes]:
    yield _RSS
    for number in range(count):
        media = f'<media:content url="https://e.example/{number}.mp4" type="video/mp4"/>'
        yield f"<item><link>https://e.example/{number}</link>{media}</item>\n".encode()
    yield b"</channel></rss>\n"


@slow
@pytest.mark.parametrize(("make", "count"), [(_urls, 300_000), (_items, 100_000)])
def test_memory_does_not_grow_with_entries(
    make: Callable[[int], Iterator[bytes]], count: int, tmp_path: Path
) -> None:
    some = _convert(tmp_path / "some.xml", make(10_000), to="jsonl")
    many = _convert(tmp_path / "many.xml", make(count), to="jsonl")
    assert (some.status, many.status) == (0, 0), many.end_of_stderr
    assert many.peak < some.peak + 8 * _MB


@slow
@pytest.mark.parametrize("markup", [b"<url>", b"<url>\n<loc>", b"<url><loc>https://e.example/"])
def test_memory_does_not_grow_with_unclosed_items(markup: bytes, tmp_path: Path) -> None:
    count = _MB // len(markup)
    some = _convert(tmp_path / "some.xml", [_START, markup * count])
    many = _convert(tmp_path / "many.xml", [_START, markup * (2 * count)])

    assert (some.status, many.status) == (1, 1), many.end_of_stderr
    assert many.peak < some.peak + 8 * _MB


@slow
def test_site_map_is_sorted_on_disk(tmp_path: Path) -> None:
    some = _convert(tmp_path / "some.xml", _urls(10_000), to="html")
    many = _convert(tmp_path / "many.xml", _urls(300_000), to="html")
    assert (some.status, many.status) == (0, 0), many.end_of_stderr
    assert many.peak < some.peak + 64 * _MB
