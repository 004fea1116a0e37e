"""The grammar of sitemaps: the fields of the protocol, and the extensions of a document."""

import re
from collections.abc import Sequence
from typing import cast

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.regular.columns import Column, column_of, loc_column
from sitemapx.convert.formats.regular.items import Items
from sitemapx.convert.formats.sitemap.fast.core import are_exact, core_pattern
from sitemapx.convert.formats.sitemap.fast.extensions import extensions_of, is_foreign
from sitemapx.convert.values import datatypes
from sitemapx.convert.xml.namespaces import SITEMAP
from sitemapx.convert.xml.parser import BlockParser

__all__ = ["SitemapGrammar", "own_prefixes", "usual_prefixes"]

#: A prefix with nothing in it that means something else in a pattern.
_is_usual = re.compile("[A-Za-z0-9_-]*+").fullmatch


def usual_prefixes(markup: BlockParser) -> dict[str, str]:
    """Return the prefixes that a pattern takes as they are, with their namespaces."""
    found = {prefix or "": name for prefix, name in markup.prefixes.items()}
    return {prefix: name for prefix, name in found.items() if _is_usual(prefix)}


def own_prefixes(markup: BlockParser) -> Sequence[str]:
    """
    List the prefixes of the sitemap's namespace, with their colons; that of the items first.

    Returns:
        None of them if the items are in another namespace.

    """
    prefixes = usual_prefixes(markup)
    own = markup.end_tag[2:-1].rpartition(":")[0]
    if prefixes.get(own) != SITEMAP:
        return []
    others = (prefix for prefix in prefixes if prefix != own and prefixes[prefix] == SITEMAP)
    return [f"{prefix}:" if prefix else "" for prefix in (own, *others)]


class SitemapGrammar:
    """
    The grammar of a document of the sitemap protocol.

    Attributes:
        extensions: Those for which the document declares a prefix.
        is_in_order: Whether the items of the last block have their elements in the order of the
            schema, in a root of its namespace, and right words and numbers.

    """

    is_exact = False
    is_foreign = staticmethod(is_foreign)

    def __init__(
        self,
        markup: BlockParser,
        context: Context,
        item: str,
        prefixes: Sequence[str],
        *,
        in_order: bool,
    ) -> None:
        """
        Take the names that the document gives to things.

        Args:
            item: The local name of the items.
            prefixes: Those of the sitemap's namespace.
            in_order: Whether elements in extensions have to be in the order of the schema; else it
                is not known whether they are.

        """
        self.split = core_pattern(item, prefixes).split
        self._in_order = in_order
        self.extensions = extensions_of(usual_prefixes(markup), in_order=in_order)
        self.is_in_order = False
        self._context = context
        self._is_plain = markup.is_plain

    def columns(self, items: Items, marks: str) -> dict[str, Column] | None:
        """Make the columns of the protocol's own fields; None if an extension is in a URL."""
        is_in_order = self._in_order and self._is_plain and items.is_in_order
        self.is_in_order = is_in_order and are_exact(items.texts)
        locs = "\n".join([*cast("Sequence[str]", items.texts["loc"]), ""])
        if any(mark in locs for mark in marks):
            return None
        columns = {"loc": loc_column(items.texts["loc"], locs)}
        dates = items.texts["lastmod"]
        columns["lastmod"] = Column([date or None for date in dates] if "" in dates else dates)
        for name in ("changefreq", "priority"):
            kind, texts = datatypes.CORE[name], items.texts[name]
            if column := column_of(kind, texts, is_wanted=self._context.wants(name)):
                columns[name] = column
        return columns

    def joined(self, columns: dict[str, Column]) -> dict[str, Column]:
        """Take the columns as they are."""
        return columns
