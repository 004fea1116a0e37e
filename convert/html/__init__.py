"""
HTML: the metadata of pages, and HTML as text.

May import `disk` and the layers below it in `sitemapx.convert`.
"""
