"""The fields of the protocol itself: how they are written, and how exactly."""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from sitemapx.convert.formats.regular.items import FieldPattern, ItemPattern, once
from sitemapx.convert.formats.regular.patterns import IN_TAG, QUOTED, SPACE
from sitemapx.convert.values import datatypes, w3cdate

__all__ = ["FIELDS", "are_exact", "core_pattern"]

#: The fields of the protocol itself, in the order of its schema.
FIELDS = ("loc", *datatypes.CORE)
_TEXTS = dict.fromkeys(FIELDS, "([^<]*+)") | {"lastmod": rf"((?a:{w3cdate.W3C}|))"}
#: An attribute that means nothing, and no second one, which might be the same.
_ATTRIBUTE = rf"(?:[ \t\n]++(?!xmlns=)[A-Za-z_][A-Za-z0-9_.-]*+={QUOTED})?+"


def are_exact(texts: Mapping[str, Sequence[str | None]]) -> bool:
    """Return whether dates, words and numbers are written as the schema has them, if at all."""
    return "" not in texts["lastmod"] and all(
        text is None or match(text) for name, match in _EXACT.items() for text in {*texts[name]}
    )


_EXACT = {
    "changefreq": re.compile("always|hourly|daily|weekly|monthly|yearly|never").fullmatch,
    "priority": re.compile(r"0(?:\.[0-9]+)?|1(?:\.0+)?", re.ASCII).fullmatch,
}


def core_pattern(item: str, prefixes: Sequence[str]) -> ItemPattern:
    """
    Make the pattern of the items of a document, whose extensions follow the fields if in order.

    Args:
        item: The local name of the items.
        prefixes: Those of the sitemap's namespace, with their colons; that of the items first.

    """
    own = prefixes[0]
    fields = {
        name: FieldPattern(
            usual=f"<{own}{name}>{_TEXTS[name]}</{own}{name}>",
            loose=partial(_loose, name, prefixes),
            names=[name],
            hidden=len(prefixes) > 1,
        )
        for name in FIELDS
    }
    attributes = _ATTRIBUTE + IN_TAG
    return ItemPattern(
        f"{own}{item}", fields, "loc", prefix=own, attributes=attributes, between=SPACE
    )


def _loose(name: str, prefixes: Sequence[str], number: int) -> str:
    """Match a field with any of the prefixes, an attribute, padding, and no text."""
    own, *others = prefixes
    before, prefix, same = once(number), own, own
    if others:
        before = once(number + 1)
        prefix, same = f"({'|'.join(sorted(prefixes, reverse=True))})", rf"(?:\{number})"
    text = f"{SPACE}{_TEXTS[name]}{SPACE}" if name == "lastmod" else _TEXTS[name]
    end = f"</{same}{name}{IN_TAG}>"
    return f"{before}{prefix}{name}{_ATTRIBUTE}{IN_TAG}(?:/>|>{text}{end})"
