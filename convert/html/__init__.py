"""
HTML: extracts the metadata of pages, and converts HTML to text.

May import `disk` and the layers below it in `sitemapx.convert`.
"""
