"""
Code shared by feed formats: heads, items, repairs, and writing of texts.

May import `urlreader` and the layers below it in `sitemapx.convert.formats`.
"""
