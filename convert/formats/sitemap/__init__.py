"""
XML sitemaps and indexes (https://www.sitemaps.org/protocol.html) with Google's extensions.

`vocabulary` is the one table of elements, for reader, writer and schema. May import `outlines` and
what is below it in `sitemapx.convert.formats`.
"""
