"""
Sitemaps whose entries differ from each other, as those of real sites do.

Fields are missing, dates have all forms of W3C Datetime, URLs are short and long, and sometimes
there is an entity, an empty line, a comment or another order.
"""

from collections.abc import Iterator
from functools import partial

from bench.samples.chance import Chance
from bench.samples.kind import SEED, Entry, Kind
from bench.samples.shapes import PLAIN_START, SITEMAP, XML

__all__ = ["VARIED", "varied_entries", "write_core_fields"]

FREQUENCIES = ("daily", "weekly", "weekly", "monthly", "monthly", "yearly", "always", "never")
_ORDERS = (
    ("changefreq", "loc", "priority", "lastmod"),
    ("lastmod", "loc", "changefreq", "priority"),
    ("loc", "priority", "changefreq", "lastmod"),
    ("priority", "lastmod", "changefreq", "loc"),
)
_USUAL = ("loc", "lastmod", "changefreq", "priority")


def varied_entries(count: int) -> Iterator[Entry]:
    """Yield `count` random entries, whose fields differ."""
    chance = Chance(f"varied {SEED}")
    for number in range(count):
        entry: Entry = {"loc": chance.loc(number)}
        if not chance.is_one_in(7):
            entry["lastmod"] = chance.date()
        if not chance.is_one_in(3):
            entry["changefreq"] = chance.one_of(FREQUENCIES)
        if not chance.is_one_in(3):
            entry["priority"] = chance.number(21) / 20
        yield entry


def write_core_fields(entry: Entry, chance: Chance) -> Iterator[str]:
    """Yield the fields of the protocol as XML elements; one entry in eight is in random order."""
    order = chance.one_of(_ORDERS) if chance.is_one_in(8) else _USUAL
    for name in order:
        if name in entry:
            yield chance.element(name, _value(entry[name], chance))


def _value(value: str | float, chance: Chance) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.2f}" if chance.is_one_in(4) else f"{value:g}" if value == 1 else str(value)


def _varied(entry: Entry, line_end: str = "\n") -> str:
    chance = Chance(entry["loc"])
    before = "\n" if chance.is_one_in(50) else ""
    if chance.is_one_in(500):
        before += f"  <!-- {chance.title(1).replace('<', '')} -->\n"
    fields = "".join(f"    {field}\n" for field in write_core_fields(entry, chance))
    return f"{before}  <url>\n{fields}  </url>\n".replace("\n", line_end)


def _on_one_line(entry: Entry) -> str:
    return f"<url>{''.join(write_core_fields(entry, Chance(entry['loc'])))}</url>"


def _messy(entry: Entry) -> str:
    chance = Chance(f"messy {entry['loc']}")
    prefix = chance.one_of(("", "", "sm:"))
    fields = [
        _messy_field(f"{prefix}{name}", _value(value, chance), chance)
        for name, value in chance.shuffled([*entry.items()])
    ]
    if chance.is_one_in(3):
        fields.insert(chance.number(3), f"<!-- {chance.number(1000)} -->")
    between = chance.one_of(("", "\n", "\n\t", "\n    ", "\r\n"))
    attributes = f' data-source="{chance.number(9)}"' if chance.is_one_in(4) else ""
    inside = between.join(["", *fields, ""])
    after = chance.one_of(("", " ", "\n"))
    return f"<url{attributes}>{inside}</url>{after}"


def _messy_field(name: str, value: str, chance: Chance) -> str:
    text = f"<![CDATA[{value}]]>" if chance.is_one_in(3) else chance.escaped(value)
    if chance.is_one_in(4):
        text = chance.one_of((" {} ", "\n\t\t{}\n\t", "{}\n")).format(text)
    attributes = chance.attributes({"data-kind": "page"}) if chance.is_one_in(8) else ""
    return f"<{name}{attributes}>{text}</{name}{' ' if chance.is_one_in(8) else ''}>"


_END = "</urlset>\n"

VARIED = {
    "varied": Kind(".xml", varied_entries, _varied, PLAIN_START, _END),
    "varied CRLF": Kind(
        *(".xml", varied_entries, partial(_varied, line_end="\r\n")),
        *(PLAIN_START.replace("\n", "\r\n"), "</urlset>\r\n"),
    ),
    "varied one line": Kind(
        *(".xml", varied_entries, _on_one_line, PLAIN_START.rstrip("\n"), "</urlset>")
    ),
    "varied gz": Kind(".xml.gz", varied_entries, _varied, PLAIN_START, _END),
    "varied messy": Kind(
        *(".xml", varied_entries, _messy),
        *(f"{XML}<urlset xmlns='{SITEMAP}' xmlns:sm='{SITEMAP}'>\n", _END),
    ),
}
