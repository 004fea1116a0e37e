"""Directories of HTML pages, as from a site generator; no two pages have the same shape."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from bench.samples.chance import Chance
from bench.samples.kind import SEED, Entry
from bench.samples.shapes import SITE

__all__ = ["SamplePages"]

_SECTIONS = ("articles", "guides", "news", "products", "travel")
_WORDS = (
    *("the", "of", "a", "and", "in", "garden", "water", "café", "light", "under", "old", "bridge"),
    *(
        "& sons",
        "where",
        "people",
        "walk",
        "on",
        "Sunday",
        "morning",
        "price",
        "size",
        "<b>new</b>",
    ),
    *('<a href="/help/">help</a>', "“quoted”", "Größe", "1,299", "&euro;", "<em>really</em>"),
)
_MENU = "".join(f'<li><a href="/{name}/">{name.title()}</a></li>' for name in _SECTIONS)
_STYLE = "".join(
    f".c{n}{{margin:{n}px;padding:0 {n}em}}@media print{{.c{n}{{}}}}" for n in range(40)
)
_SCRIPT = "".join(f'if (a < {n} && b > 1) {{ document.write("<p>{n}"); }}\n' for n in range(60))
#: One in this number of pages is marked noindex.
_HIDDEN = 33


@dataclass(frozen=True)
class SamplePages:
    """A directory of pages of about 2 to 80 KB."""

    count: int

    @property
    def path(self) -> Path:
        from bench.samples import data

        return data.FOLDER / f"pages-{self.count}"

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of a sitemap of the pages, in the order of their paths."""
        for page in self._pages():
            if not page["is_hidden"]:
                yield {"loc": page["loc"]}

    def make(self) -> None:
        """Write the pages, unless they exist."""
        if self.path.exists():
            return
        draft = self.path.with_suffix(".part")
        for page in self._pages():
            folder = draft / page["loc"].removeprefix(SITE)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "index.html").write_text(_rendered(page), encoding="utf-8")
        draft.rename(self.path)

    def _pages(self) -> Iterator[dict[str, Any]]:
        each = -(-self.count // len(_SECTIONS))
        for number in range(self.count):
            chance = Chance(f"pages {SEED} {number}")
            section, index = _SECTIONS[number // each], number % each
            yield {
                "loc": f"{SITE}{section}/{index:06}/",
                "is_hidden": chance.is_one_in(_HIDDEN),
                "chance": chance,
            }


def _rendered(page: dict[str, Any]) -> str:
    chance, loc = page["chance"], page["loc"]
    title, date = escape(_text(chance, 6)), chance.moment().isoformat()
    lines = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f"<title>{title}</title>",
        f'<meta name="description" content="{escape(_text(chance, 20))}">',
        f'<link rel="canonical" href="{loc}">',
    ]
    if page["is_hidden"]:
        lines.append('<meta name="robots" content="noindex">')
    if chance.is_one_in(3):
        data = f'{{"@type":"Article","dateModified":"{date}"}}'
        lines.append(f'<script type="application/ld+json">{data}</script>')
    if chance.is_one_in(4):
        lines += [
            f'<link rel="alternate" hreflang="{code}" href="{loc}{code}/">' for code in ("en", "fr")
        ]
    lines += [f"<style>{_STYLE}</style>"] * chance.is_one_in(2)
    lines.append(f"</head><body><header><nav><ul>{_MENU}</ul></nav></header>")
    content = chance.one_of(("main", "article", "div"))
    lines.append(f"<{content}><h1>{title}</h1>")
    for number in range(chance.number(80)):
        lines.append(f'<p class="c{number}">{_text(chance, 10 + chance.number(150))}')
        lines += [f'<img src="/i/{number}.jpg" alt="">'] * chance.is_one_in(8)
    lines.append(f"</{content}><footer>© 2026 {_text(chance, 8)}</footer>")
    lines += [f"<script>{_SCRIPT}</script>"] * chance.number(4)
    return "\n".join([*lines, "</body></html>\n"])


def _text(chance: Chance, words: int) -> str:
    return " ".join(chance.one_of(_WORDS) for _ in range(words))
