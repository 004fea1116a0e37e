"""
The check of published pages.

May import `file` and the layers below it in `sitemapx.check`.
"""
