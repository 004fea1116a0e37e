"""The row of JSON Feed in the table of formats."""

from sitemapx.convert.formats.feeds.fields import FEED_FIELDS, HEAD_FIELDS, UNIQUE, USED_FIELDS
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.limits import PROTOCOL_LIMITS, Requirements

_XML_ONLY = ("extras",)
_NOT_IN_HEAD = ("updated",)

JSON_FEED = Format(
    "jsonfeed",
    "JSON Feed 1.1",
    "sitemapx.convert.formats.jsonfeed.reader:read_jsonfeed",
    "sitemapx.convert.formats.jsonfeed.writer:JsonFeedWriter",
    suffixes=(".json",),
    media_type="application/feed+json",
    sniff="sitemapx.convert.formats.jsonfeed.reader:looks_like_jsonfeed",
    holds=(*(name for name in FEED_FIELDS if name not in _XML_ONLY), "images"),
    limits=PROTOCOL_LIMITS,
    is_published=False,
    family="feed",
    head=tuple(name for name in HEAD_FIELDS if name not in _NOT_IN_HEAD),
    head_needs=("title",),
    unique=UNIQUE,
    uses=USED_FIELDS,
    requires=Requirements(
        head=("title",),
        entry=(("id",),),
        spellings=(
            ("lastmod", "date_modified"),
            ("published", "date_published"),
        ),
    ),
)
