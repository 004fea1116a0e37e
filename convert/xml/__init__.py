"""
XML in blocks: tags, cutting, parsing, repair, escaping.

May import `html` and what is below it in `sitemapx.convert`.
"""
