"""
The check of published pages, each of which is fetched once.

May import `file` and what is below it in `sitemapx.check`.
"""
