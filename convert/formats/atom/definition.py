"""The row of Atom in the table of formats."""

from sitemapx.convert.formats.feeds.fields import FEED_FIELDS, HEAD_FIELDS, UNIQUE, USED_FIELDS
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.limits import PROTOCOL_LIMITS, Requirements

ATOM = Format(
    "atom",
    "Atom 1.0",
    "sitemapx.convert.formats.atom.reader:read_atom",
    "sitemapx.convert.formats.atom.writer:AtomWriter",
    suffixes=(".atom",),
    media_type="application/atom+xml",
    roots=("feed", "entry"),
    item="entry",
    holds=FEED_FIELDS,
    limits=PROTOCOL_LIMITS,
    is_published=False,
    family="feed",
    head=(*HEAD_FIELDS, "id"),
    head_needs=("title", "id", "authors", "updated"),
    unique=UNIQUE,
    uses=USED_FIELDS,
    requires=Requirements(
        head=("title", "id", "updated"),
        entry=(("id",), ("title",), ("lastmod",)),
        spellings=(("lastmod", "updated"),),
    ),
)
