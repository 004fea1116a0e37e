"""
Samples whose entries all have the same fields in the same order, with the same line breaks.

All kinds have the same entries, and a smaller sample is the start of a larger one.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from random import Random
from xml.sax.saxutils import escape

from bench.samples.kind import SEED, Entry, Kind
from bench.samples.shapes import FEED_START, PLAIN_START, RICH_START, SITE, SITEMAP, XML

__all__ = ["REGULAR", "ROBOTS_SITEMAP", "entries", "rich_entries"]

#: The first line of robots.txt.
ROBOTS_SITEMAP = f"Sitemap: {SITE}sitemap.xml\n"

_SECTIONS = ("garden/tools", "kitchen", "news/2026", "books/used", "help/articles", "caf%C3%A9")
_THINGS = ("spade", "copper-kettle", "weekly-report", "atlas", "how-to-return", "chair", "lamp")
_FREQUENCIES = ("daily", "weekly", "monthly", "yearly")
_LANGUAGES = ("en", "de", "fr-CA")
_VERSIONS = ("en", "de", "fr-CA", "ja", "x-default")
_START = datetime(2023, 1, 1, tzinfo=UTC)
_MINUTES = 3 * 365 * 24 * 60


def entries(count: int) -> Iterator[Entry]:
    """Yield entries; a smaller count yields the start of a larger one."""
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
    """Yield entries with images and alternates, and a video in every fifth."""
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
    """Yield entries that are language versions of pages, five consecutive ones for each page."""
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


REGULAR = {
    "text": Kind(".txt", entries, _text),
    "plain": Kind(".xml", entries, _plain, PLAIN_START, "</urlset>\n"),
    "rich": Kind(".xml", rich_entries, _rich, RICH_START, "</urlset>\n"),
    "languages": Kind(".xml", versions, _version, RICH_START, "</urlset>\n"),
    "messy": Kind(
        ".xml", entries, _messy, f"{XML}<sm:urlset xmlns:sm='{SITEMAP}'>\n", "</sm:urlset>\n"
    ),
    "feed": Kind(".rss", entries, _item, FEED_START, "</channel>\n</rss>\n"),
    "mrss": Kind(".rss", rich_entries, _media_item, FEED_START, "</channel>\n</rss>\n"),
    "robots": Kind(".robots.txt", entries, _rule, f"{ROBOTS_SITEMAP}User-agent: *\n"),
}
