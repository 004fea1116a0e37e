"""
OPML 2.0 and 1.0 (http://opml.org/spec2.opml): lists of feeds.

May import `format` and the layers below it in `sitemapx.convert.formats`.
"""
