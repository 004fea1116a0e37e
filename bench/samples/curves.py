"""
Sitemaps that show the cost of variety.

`kinds-N` has entries of N structures, which are selections and orders of the same elements; `odd-P`
has entries of one structure, with something unusual in P percent of them.
"""

from collections.abc import Iterator
from functools import cache, partial

from bench.samples.chance import Chance
from bench.samples.kind import SEED, Entry, Kind
from bench.samples.shapes import RICH_START, SITE
from bench.samples.variedrich import create_alternate

__all__ = ["CURVES", "KINDS", "ODD"]

KINDS = ("kinds-1", "kinds-10", "kinds-100", "kinds-1000", "kinds-10000")
ODD = ("odd-0", "odd-1", "odd-5", "odd-20")

_LANGUAGES = ("en", "de", "fr", "es", "it")
#: A structure has eight of these elements, so that entries have about the same size.
_PARTS = (
    *("lastmod", "changefreq", "priority", "image", "image", "titled image", "captioned image"),
    *("link", "link", "link", "link", "link"),
)
_MOST = 8
_USUAL = ("lastmod", "changefreq", "image", "titled image", "captioned image", *["link"] * 3)

#: The parts of an entry in order, starting with the URL.
_Structure = tuple[str, ...]


@cache
def _structures(count: int) -> list[_Structure]:
    """Return `count` distinct structures of entries, always the same."""
    chance = Chance(f"structures {SEED}")
    found: dict[_Structure, None] = {_USUAL: None}
    while len(found) < count:
        found.setdefault(tuple(chance.shuffled(_PARTS)[:_MOST]))
    return list(found)


def _structure(entry: Entry, count: int) -> _Structure:
    return Chance(f"structure {entry['loc']}").one_of(_structures(count))


def _entries(kinds: int, count: int) -> Iterator[Entry]:
    """Yield entries with the given number of structures."""
    chance = Chance(f"kinds {SEED}")
    for number in range(count):
        entry: Entry = {"loc": chance.loc(number)}
        languages = iter(_LANGUAGES)
        for part in _structure(entry, kinds):
            if part == "link":
                link = create_alternate(next(languages), entry["loc"])
                entry.setdefault("alternates", []).append(link)
            elif part.endswith("image"):
                entry.setdefault("images", []).append(_image(part, f"{chance.number(10**6)}"))
            else:
                values = {"lastmod": chance.moment().isoformat(), "changefreq": "weekly"}
                entry[part] = values.get(part, 0.5)
        yield entry


def _image(part: str, name: str) -> Entry:
    texts = {"title": f"Seen from the left, {name}", "caption": "A day out, with & without rain"}
    names = {"image": (), "titled image": ("title",)}.get(part, ("title", "caption"))
    return {"loc": f"{SITE}images/{name}.jpg"} | {n: texts[n] for n in names}


def _render(kinds: int, entry: Entry) -> str:
    return _written(entry, _structure(entry, kinds), Chance(""))


def _written(entry: Entry, structure: _Structure, chance: Chance) -> str:
    images, links = iter(entry.get("images", ())), iter(entry.get("alternates", ()))
    fields = [chance.element("loc", entry["loc"])]
    for part in structure:
        if part == "link":
            written = chance.attributes({"rel": "alternate", **next(links)}, is_usual=True)
            fields.append(f"<xhtml:link{written}/>")
        elif part.endswith("image"):
            inside = (chance.element(f"image:{n}", text) for n, text in next(images).items())
            fields.append(f"<image:image>{''.join(inside)}</image:image>")
        else:
            fields.append(chance.element(part, str(entry[part])))
    between = "\n    "
    return f"  <url>{between}{between.join(fields)}\n  </url>\n"


def _odd(percent: int, entry: Entry) -> str:
    chance = Chance(f"odd {entry['loc']}")
    written = _render(1, entry)
    if chance.number(100) >= percent:
        return written
    loc, rest = written.split("</loc>", 1)
    return chance.one_of(
        (
            f"{loc}</loc>\n    <weight>{chance.number(9)}</weight>{rest}",
            f"{loc}</loc>\n    <!-- page {chance.number(9)} -->{rest}",
            written.replace("<changefreq>weekly<", "<changefreq><![CDATA[weekly]]><"),
            written.replace("<lastmod>", '<lastmod data-source="cms">'),
        )
    )


def _kind(count: int) -> Kind:
    entries, render = partial(_entries, count), partial(_render, count)
    return Kind(".xml", entries, render, RICH_START, "</urlset>\n")


CURVES = {name: _kind(int(name.partition("-")[2])) for name in KINDS} | {
    name: _kind(1)._replace(render=partial(_odd, int(name.partition("-")[2]))) for name in ODD
}
