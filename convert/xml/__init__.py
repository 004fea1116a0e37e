"""
Reads and writes XML in blocks: tags, cutting, parsing, repair, escaping.

May import `html` and the layers below it in `sitemapx.convert`.
"""
