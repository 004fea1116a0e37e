"""
Text lists: one URL in each line.

May import `format` and what is below it in `sitemapx.convert.formats`.
"""
