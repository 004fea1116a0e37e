"""The rows of XML sitemaps and indexes in the table of formats."""

from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.limits import PROTOCOL_LIMITS

SITEMAP = Format(
    "sitemap",
    "XML sitemap",
    "sitemapx.convert.formats.sitemap.reader:read_sitemap",
    "sitemapx.convert.formats.sitemap.writer:SitemapWriter",
    suffixes=(".xml",),
    media_type="application/xml",
    roots=("urlset",),
    item="url",
    holds=(
        *("loc", "lastmod", "changefreq", "priority", "images", "videos", "news"),
        *("alternates", "mobile", "extras"),
    ),
    limits=PROTOCOL_LIMITS,
    family="sitemap",
    has_schema=True,
)
SITEMAP_INDEX = Format(
    "sitemapindex",
    "XML sitemap index",
    "sitemapx.convert.formats.sitemap.reader:read_sitemapindex",
    "sitemapx.convert.formats.sitemap.writer:SitemapIndexWriter",
    media_type="application/xml",
    roots=("sitemapindex",),
    item="sitemap",
    holds=("loc", "lastmod"),
    limits=PROTOCOL_LIMITS,
    has_schema=True,
)
