"""
HTML: the metadata of pages, and HTML as text.

May import `disk` and what is below it in `sitemapx.convert`.
"""
