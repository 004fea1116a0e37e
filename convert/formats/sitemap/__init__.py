"""
XML sitemaps and indexes (https://www.sitemaps.org/protocol.html) with Google's extensions.

`vocabulary` is the table of elements for reader, writer and schema. May import `outlines` and the
layers below it in `sitemapx.convert.formats`.
"""
