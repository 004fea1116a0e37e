"""
XML sitemaps and indexes (https://www.sitemaps.org/protocol.html) with Google's extensions.

`vocabulary` is the table of elements for reader, writer and schema. Two readers share the items of
a document: `quick` reads regular items, which have no problems, and the full reader (`items`)
all others, whose problems it repairs and reports. May import `urlreader` and the layers below it in
`sitemapx.convert.formats`.
"""
