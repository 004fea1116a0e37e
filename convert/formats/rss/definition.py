"""The rows of RSS and Media RSS in the table of formats."""

from sitemapx.convert.formats.feeds.fields import FEED_FIELDS, HEAD_FIELDS, UNIQUE, USED_FIELDS
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.limits import PROTOCOL_LIMITS, Requirements

_HEAD_NEEDS = ("title", "link", "description")
RSS = Format(
    "rss",
    "RSS 2.0",
    "sitemapx.convert.formats.rss.reader:read_rss",
    "sitemapx.convert.formats.rss.writer:RssWriter",
    suffixes=(".rss",),
    media_type="application/rss+xml",
    roots=("rss", "rdf"),
    item="item",
    holds=FEED_FIELDS,
    limits=PROTOCOL_LIMITS,
    is_published=False,
    family="feed",
    head=HEAD_FIELDS,
    head_needs=_HEAD_NEEDS,
    unique=UNIQUE,
    uses=USED_FIELDS,
    requires=Requirements(
        head=_HEAD_NEEDS,
        entry=(("title", "description"),),
        spellings=(("id", "guid"), ("published", "pubDate")),
    ),
)
#: Reading is that of RSS: any feed may have media, so detection never finds this format.
MEDIA_RSS = RSS._replace(
    name="mrss",
    title="RSS 2.0 with Media RSS",
    write="sitemapx.convert.formats.rss.writer:MediaRssWriter",
    suffixes=(".mrss",),
    roots=(),
    holds=(*FEED_FIELDS, "images", "videos"),
)
