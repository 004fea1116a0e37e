"""Documents from samples, fixtures and the corpus, and functions that damage them."""

import gzip
import io
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from sitemapx.convert import Context
from sitemapx.convert.formats.registry import detect
from sitemapx.convert.streams.gzip import unpack
from sitemapx.errors import InputError
from tests.property.documents import DOCUMENTS

__all__ = ["CORPUS", "TOKENS", "Seed", "collect_seeds", "mutate"]

ROOT = Path(__file__).parent.parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
#: A larger seed is cut to its start, so that a case takes milliseconds.
_LARGEST = 6000

# fmt: off
#: Pieces of markup, and values that are nearly right.
TOKENS = [
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x ", b"?>", b"<!DOCTYPE x>", b"&", b"&amp;", b"&lt;",
    b"&#0;", b"&#xFFFF;", b"&#130;", b"&nbsp;", b"&x;", b"<", b">", b"/>", b"</", b"/", b'"', b"'",
    b"<url>", b"</url>", b"<url/>", b"<loc>", b"</loc>", b"<loc/>", b"<urlset>", b"</urlset>",
    b"<urlset/>", b"<sitemap>", b"</sitemap>", b"</sitemapindex>", b"<lastmod>", b"</lastmod>",
    b"<image:image>", b"</image:image>", b"<image:loc>", b"</image:loc>", b"<video:video>",
    b"</video:video>", b"<video:video/>", b"<news:news>", b"</news:news>", b"<news:news/>",
    b"<image:image/>", b"<xhtml:link/>", b"<mobile:mobile/>", b"<x:y/>", b"<x:y>", b"</x:y>",
    b"<x\xc3\xb4:y/>", b"<uription: item>", b"<a:b:c/>", b"<:a/>", b"<a:/>", b"<-a/>", b"<1/>",
    b' xmlns="relative"', b' xmlns=""', b' xmlns:x="y"', b' xmlns:x=""', b' a="b"', b" a=b", b" a",
    b' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"', b' xml:lang="de"', b' xml:base="/"',
    b' xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"', b' xsi:nil="true"',
    b' xmlns="http://www.google.com/schemas/sitemap/0.84"',
    b"<item>", b"</item>", b"<link>", b"</link>", b"<entry>", b"</entry>", b"</channel>", b"</rss>",
    b"<link href='/'/>", b"<guid>", b"</guid>", b"<title>", b"</title>", b"<title type='html'>",
    b"<description>", b"<content:encoded>", b"<media:content/>", b"<media:group>", b"<br>",
    b"</media:group>", b"<source>", b"<pubDate>", b"</pubDate>", b"<dc:date>", b"<atom:link/>",
    b"https://", b"http://", b"https://e.example", b"https://e.example/", b"//e.example/a", b"/a",
    b"?a=b&c=d", b"#a", b"%", b"%zz", b"%41", b" ", b"\n", b"\r", b"\r\n", b"\t", b"\xc2\xa0",
    b"\0", b"\x01", b"\x0b", b"\x85", b"\xff", b"\xe9", b"\xef\xbb\xbf", b"\xef\xbf\xbf",
    b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xf0\x9f\x8d\xb0", b"2026", b"2026-02-30", b"2026-01-01",
    b"2026-01-01T10:00", b"2026-01-01T10:00Z", b"Mon, 01 Jun 2026 10:00:00 AEST", b"0.5", b"7",
    b"1e-1", b"NaN", b"daily", b"Weekly", b"yes", b"True", b"de", b"x-default", b"de_AT", b"{}",
    b'<?xml version="1.0"?>', b"<?XML version='1.0'?>", b"<?xml version=1.0?>", b"<?xml?>",
    b"<? x?>", b'<?xml encoding="UTF-8" version="1.0"?>', b"<!-- a -- b -->",
    b"<!DOCTYPE x [<!ENTITY y z>]>",
    b"{", b"}", b"[", b"]", b",", b";", b"\\ud800", b"null", b"1e400", b'"extras":["<x>"]',
    b'"extras":["<x/></url><url/>"]', b'{"loc":"https://e.example/a"}\n', b'"loc":"https://"',
    b"<?", b"<?xml ", b"<!DOCTYPE ", b"<!DOCTYPE x [", b"&#99999999999;", b"<x:url>", b"</x:url>",
    b"<q:r/>", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\x1f\x8b\x08", b"1e999", b"=", b"//[",
    b'encoding="utf-7"', b'encoding="idna"', b'encoding="undefined"', b'encoding="hex"',
    b"PK\x03\x04", b"<link href=''/>", b"&eacute;", b' xml:base="http://["',
    b"<title type='xhtml'><b>", b"<media:restriction>", b"<media:starRating average='nan'/>",
    b"-0001-01-01",
]
# fmt: on

_TAG = re.compile(rb"</?[^<>]{1,200}>")
_ATTRIBUTE = re.compile(rb"\s[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')")
_TEXT = re.compile(rb">([^<>]+)<")
_LINE = re.compile(rb"[^\n]*\n")
_ITEM = re.compile(rb"<(url|sitemap|item|entry)>.*?</\1>", re.DOTALL)
_PARTS = (_TAG, _TAG, _TAG, _ATTRIBUTE, _TEXT, _LINE, _ITEM)


class Seed(NamedTuple):
    """A document to damage, and its format."""

    format: str
    data: bytes


def collect_seeds() -> list[Seed]:
    """Return documents from the tests, the samples, and the corpus if it exists."""
    seeds = [Seed(name, data) for name, data in DOCUMENTS if data[:2] != b"\x1f\x8b"]
    folders = [ROOT / "samples", *([CORPUS] if CORPUS.is_dir() else [])]
    for folder in folders:
        for path in sorted(folder.rglob("*.*")):
            if path.is_file() and (seed := _seed(path.read_bytes())):
                seeds.append(seed)
    return seeds


def _seed(data: bytes) -> Seed | None:
    """Return the decompressed start of a file; None if its format cannot be detected."""
    with suppress(InputError):
        start, stream = unpack(io.BytesIO(data), Context())
        return Seed(detect(start).name, stream.read(_LARGEST))
    return None


# ---- damage


def mutate(random: Random, seeds: Sequence[Seed]) -> Seed:
    """Return a document from `seeds`, damaged in one or several random ways."""
    name, data = random.choice(seeds)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4, 8))):
        damage = random.choice(_DAMAGES)
        data = damage(random, data, seeds)[: 3 * _LARGEST]
    if random.random() < 0.02:
        data = gzip.compress(data, mtime=0)
    return Seed(name, data)


_Damage = Callable[[Random, bytes, Sequence[Seed]], bytes]


def _choose_offset(random: Random, data: bytes) -> int:
    return random.randrange(len(data) + 1)


def _flip(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    at = _choose_offset(random, data)
    changed = bytes([data[at] ^ 1 << random.randrange(8)]) if at < len(data) else b"\x80"
    return data[:at] + changed + data[at + 1 :]


def _delete(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    at = _choose_offset(random, data)
    return data[:at] + data[at + random.choice((1, 1, 2, 5, 20, 100)) :]


def _end(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    return data[: _choose_offset(random, data)]


def _repeat(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    at = _choose_offset(random, data)
    return data[:at] + data[max(0, at - random.choice((1, 5, 20, 100, 500))) :]


def _splice(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    """Replace the end of a document with the end of another one."""
    other = random.choice(seeds).data
    return data[: _choose_offset(random, data)] + other[_choose_offset(random, other) :]


def _insert(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    at = _choose_offset(random, data)
    return data[:at] + random.choice(TOKENS) + data[at:]


def _insert_outside(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    """Insert a token before or after the XML declaration or the last end tag."""
    at = random.choice((0, data.find(b"?>") + 2, len(data), data.rfind(b"</")))
    return data[:at] + random.choice(TOKENS) + data[at:]


def _find_spans(random: Random, data: bytes) -> list[tuple[int, int]]:
    return [m.span(m.lastindex or 0) for m in random.choice(_PARTS).finditer(data)]


def _insert_at_part(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    """Insert a token at the start or end of a tag, attribute, text or line."""
    spans = _find_spans(random, data)
    at = random.choice(random.choice(spans)) if spans else 0
    return data[:at] + random.choice(TOKENS) + data[at:]


def _replace_part(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    spans = _find_spans(random, data)
    start, stop = random.choice(spans) if spans else (0, 0)
    return data[:start] + random.choice((b"", *TOKENS)) + data[stop:]


def _repeat_part(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    spans = _find_spans(random, data)
    start, stop = random.choice(spans) if spans else (0, 0)
    return data[:stop] + data[start:stop] * random.choice((1, 2, 30)) + data[stop:]


def _swap_parts(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    spans = _find_spans(random, data)
    if len(spans) < 2:
        return data
    (a, b), (c, d) = sorted(random.sample(spans, 2))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:] if b <= c else data


def _borrow_part(random: Random, data: bytes, seeds: Sequence[Seed]) -> bytes:
    """Insert a tag, text or item of another document."""
    other = random.choice(seeds).data
    mine, theirs = _find_spans(random, data), _find_spans(random, other)
    if not mine or not theirs:
        return data
    at = random.choice(random.choice(mine))
    start, stop = random.choice(theirs)
    return data[:at] + other[start:stop] + data[at:]


_DAMAGES: list[_Damage] = [
    *(
        _flip,
        _delete,
        _end,
        _repeat,
        _splice,
        _insert,
        _insert_outside,
        _insert_at_part,
        _insert_at_part,
    ),
    *(_replace_part, _replace_part, _repeat_part, _swap_parts, _borrow_part, _borrow_part),
]
