"""
The check of published pages: fetch each page once, and judge its response.

May import `file` and what is below it in `sitemapx.check`.
"""
