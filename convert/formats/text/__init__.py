"""
Text lists: one URL in each line.

May import `writing` and what is below it in `sitemapx.convert.formats`.
"""
