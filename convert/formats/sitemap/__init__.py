"""
XML sitemaps and indexes (https://www.sitemaps.org/protocol.html) with Google's extensions.

`vocabulary` is the table of elements for reader, writer and schema. Three readers share a document:
`plain` reads blocks of the most common markup, `quick` other items without problems, and `items`
all others, whose problems are repaired and reported. May import `urlreader` and the layers below it
in `sitemapx.convert.formats`.
"""
