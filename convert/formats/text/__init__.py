"""
Text lists: one URL in each line.

May import `format` and the layers below it in `sitemapx.convert.formats`.
"""
