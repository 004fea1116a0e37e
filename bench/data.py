"""
Make the files that are measured, by a seed, into bench/data/.

All of them hold the same entries, which are made in the form of `sitemapx convert --to jsonl`. So
what a command must yield is known without asking any reader.
"""

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from bench.shapes import FEED_START, PIECES, PLAIN_START, RICH_START, SITE, SITEMAP, XML

__all__ = ["DATA", "ROBOTS_SITEMAP", "SITE", "WORST", "Entry", "Sample", "entries", "rich_entries"]

#: One line of JSON Lines.
Entry = dict[str, Any]

#: Part of the path of all samples: another number makes all of them anew.
SEED = 1
DATA = Path(__file__).parent / "data"
FOLDER = DATA / f"seed-{SEED}"

#: The first line of robots.txt.
ROBOTS_SITEMAP = f"Sitemap: {SITE}sitemap.xml\n"

#: How many files a set of each kind has, and their endings.
_SETS = {
    "set": (20, ".xml"),
    "packed set": (200, ".xml.gz"),
    "set of languages": (20, ".xml"),
}

_SECTIONS = ("garden/tools", "kitchen", "news/2026", "books/used", "help/articles", "caf%C3%A9")
_THINGS = ("spade", "copper-kettle", "weekly-report", "atlas", "how-to-return", "chair", "lamp")
_FREQUENCIES = ("daily", "weekly", "monthly", "yearly")
_LANGUAGES = ("en", "de", "fr-CA")
_VERSIONS = ("en", "de", "fr-CA", "ja", "x-default")
_START = datetime(2023, 1, 1, tzinfo=UTC)
_MINUTES = 3 * 365 * 24 * 60


def entries(count: int) -> Iterator[Entry]:
    """Make the first entries: any count begins with the same ones."""
    draw = Random(SEED).random

    def one_of(choices: tuple[str, ...]) -> str:
        return choices[int(draw() * len(choices))]

    for number in range(count):
        query = f"?colour={number % 7}&size={number % 11}" if number % 10 == 0 else ""
        changed = (_START + timedelta(minutes=int(draw() * _MINUTES))).isoformat()
        yield {
            "loc": f"{SITE}{one_of(_SECTIONS)}/{one_of(_THINGS)}-{number}.html{query}",
            "lastmod": changed[:10] if number % 4 == 0 else changed,
            "changefreq": one_of(_FREQUENCIES),
            "priority": int(draw() * 11) / 10,
        }


def rich_entries(count: int) -> Iterator[Entry]:
    """Make the first entries with images and alternates, and a video with every fifth."""
    for number, entry in enumerate(entries(count)):
        loc, changed = entry["loc"], entry["lastmod"]
        entry["images"] = [
            {
                "loc": f"{SITE}images/{number}-a.jpg",
                "title": f"Seen from the left & above, {number}",
            },
            {"loc": f"{SITE}images/{number}-b.jpg"},
        ]
        if number % 5 == 0:
            entry["videos"] = [_video(number, changed)]
        entry["alternates"] = [
            {"hreflang": language, "href": loc.replace(SITE, f"{SITE}{language}/")}
            for language in _LANGUAGES
        ]
        yield entry


def versions(count: int) -> Iterator[Entry]:
    """Make entries that are versions of one page, five languages after each other."""
    for entry in entries(count // len(_VERSIONS)):
        locs = {name: entry["loc"].replace(SITE, f"{SITE}{name}/") for name in _VERSIONS}
        alternates = [{"hreflang": name, "href": loc} for name, loc in locs.items()]
        for loc in locs.values():
            yield {**entry, "loc": loc, "alternates": alternates}


def _video(number: int, changed: str) -> Entry:
    return {
        "thumbnail_loc": f"{SITE}thumbs/{number}.jpg",
        "title": f"Film {number}",
        "description": "How it is made, who makes it, and what becomes of it in the end",
        "content_loc": f"{SITE}films/{number}.mp4",
        "duration": 60 + number % 3000,
        "publication_date": changed,
        "tags": ["making", "workshop"],
        "family_friendly": True,
    }


def _text(entry: Entry) -> str:
    return f"{entry['loc']}\n"


def _plain(entry: Entry, extensions: str = "") -> str:
    return f"""\
  <url>
    <loc>{escape(entry["loc"])}</loc>
    <lastmod>{entry["lastmod"]}</lastmod>
    <changefreq>{entry["changefreq"]}</changefreq>
    <priority>{entry["priority"]}</priority>
{extensions}  </url>
"""


def _rich(entry: Entry) -> str:
    lines = []
    for image in entry["images"]:
        inner = "".join(
            f"<image:{name}>{escape(text)}</image:{name}>" for name, text in image.items()
        )
        lines.append(f"    <image:image>{inner}</image:image>\n")
    for video in entry.get("videos", ()):
        lines.append(f"    <video:video>\n{''.join(_video_lines(video))}    </video:video>\n")
    return _plain(entry, "".join([*lines, *_links(entry)]))


def _version(entry: Entry) -> str:
    return _plain(entry, "".join(_links(entry)))


def _links(entry: Entry) -> Iterator[str]:
    for link in entry["alternates"]:
        language, href = link["hreflang"], escape(link["href"])
        yield f'    <xhtml:link rel="alternate" hreflang="{language}" href="{href}"/>\n'


def _video_lines(video: Entry) -> Iterator[str]:
    for name, value in video.items():
        element = f"video:{'tag' if name == 'tags' else name}"
        for text in value if isinstance(value, list) else [value]:
            shown = "yes" if text is True else escape(str(text))
            yield f"      <{element}>{shown}</{element}>\n"


def _messy(entry: Entry) -> str:
    return f"""\
<!-- page of {entry["lastmod"]} -->
<sm:url data-source="import"><sm:priority>{entry["priority"]}</sm:priority>
\t<sm:changefreq>{entry["changefreq"]}</sm:changefreq><!-- was: always -->
\t<sm:loc kind='page'>
\t\t<![CDATA[{entry["loc"]}]]>
\t</sm:loc ><sm:lastmod> {entry["lastmod"]} </sm:lastmod>
</sm:url>
"""


def _item(entry: Entry, media: str = "") -> str:
    published = format_datetime(datetime.fromisoformat(entry["lastmod"]).replace(tzinfo=UTC))
    loc = escape(entry["loc"])
    return f"""\
  <item>
    <title>About {loc}</title>
    <link>{loc}</link>
    <guid isPermaLink="true">{loc}</guid>
    <description><![CDATA[<p>What is <b>new</b>, in words & a picture.</p>]]></description>
    <category>{entry["changefreq"]}</category>
    <pubDate>{published}</pubDate>
{media}  </item>
"""


def _media_item(entry: Entry) -> str:
    image, thumbnail = entry["images"]
    media = f"""\
    <media:content url="{image["loc"]}" medium="image" type="image/jpeg">
      <media:title>{escape(image["title"])}</media:title>
    </media:content>
    <media:thumbnail url="{thumbnail["loc"]}"/>
"""
    return _item(entry, media)


def _rule(entry: Entry) -> str:
    return f"Disallow: /private/{entry['loc'].removeprefix(SITE)}\n"


class _Kind(NamedTuple):
    suffix: str
    entries: Callable[[int], Iterator[Entry]]
    render: Callable[[Entry], str]
    start: str = ""
    end: str = ""


_KINDS = {
    "text": _Kind(".txt", entries, _text),
    "plain": _Kind(".xml", entries, _plain, PLAIN_START, "</urlset>\n"),
    "rich": _Kind(".xml", rich_entries, _rich, RICH_START, "</urlset>\n"),
    "languages": _Kind(".xml", versions, _version, RICH_START, "</urlset>\n"),
    "messy": _Kind(
        ".xml", entries, _messy, f"{XML}<sm:urlset xmlns:sm='{SITEMAP}'>\n", "</sm:urlset>\n"
    ),
    "feed": _Kind(".rss", entries, _item, FEED_START, "</channel>\n</rss>\n"),
    "mrss": _Kind(".rss", rich_entries, _media_item, FEED_START, "</channel>\n</rss>\n"),
    "robots": _Kind(".robots.txt", entries, _rule, f"{ROBOTS_SITEMAP}User-agent: *\n"),
}


def _piece(shape: str, entry: Entry) -> str:
    return PIECES[shape][2].format(entry["number"])


def _numbers(count: int) -> Iterator[Entry]:
    return ({"number": number} for number in range(count))


def _count_for(shape: str, size: int) -> int:
    return size // len(PIECES[shape][2])


_KINDS |= {
    shape: _Kind(suffix, _numbers, partial(_piece, shape), start, end)
    for shape, (suffix, start, _, end) in PIECES.items()
}
#: How many pieces of each kind make so many bytes.
WORST = {shape: partial(_count_for, shape) for shape in PIECES}


@dataclass(frozen=True)
class Sample:
    """
    A file of the data.

    Attributes:
        kind: One of text, plain, rich, messy, feed, mrss; or robots: rules for other URLs; or set:
            plain files with an index, also packed, or of languages.
        count: How many URLs it holds.

    """

    kind: str
    count: int

    @property
    def path(self) -> Path:
        """Where it is; of a set, the index."""
        if self.kind in _SETS:
            return FOLDER / f"{self.kind}-{self.count}".replace(" ", "-") / "sitemap_index.xml"
        return FOLDER / f"{self.kind}-{self.count}{_KINDS[self.kind].suffix}"

    @property
    def children(self) -> tuple[Path, ...]:
        """The files of a set, in the order of the index."""
        count, suffix = _SETS[self.kind]
        numbers = range(1, count + 1)
        return tuple(self.path.with_name(f"sitemap-{number:02}{suffix}") for number in numbers)

    def make(self) -> None:
        """Write it, unless it is there."""
        if self.path.exists():
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.kind in _SETS:
            self._make_set()
        else:
            kind = _KINDS[self.kind]
            _write(self.path, kind, kind.entries(self.count))

    def _make_set(self) -> None:
        kind = _KINDS["languages" if self.kind == "set of languages" else "plain"]
        rest = kind.entries(self.count)
        for path in self.children:
            _write(path, kind, islice(rest, self.count // len(self.children)))
        listed = "".join(
            f"  <sitemap><loc>{SITE}{path.name}</loc></sitemap>\n" for path in self.children
        )
        self.path.write_text(f'{XML}<sitemapindex xmlns="{SITEMAP}">\n{listed}</sitemapindex>\n')


def _write(path: Path, kind: _Kind, rows: Iterator[Entry]) -> None:
    draft = path.with_suffix(".part")
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(draft, "wt", encoding="utf-8") as file:
        file.write(kind.start)
        file.writelines(map(kind.render, rows))
        file.write(kind.end)
    # Under its own name only when it is whole: what is there is never made again.
    draft.replace(path)
