"""
The check of published pages: each is fetched once, and its response is checked.

May import `file` and what is below it in `sitemapx.check`.
"""
