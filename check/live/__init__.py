"""
The check of published pages, each of which is fetched once.

May import `file` and the layers below it in `sitemapx.check`.
"""
