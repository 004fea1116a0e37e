"""
Parts that feeds share: heads, items, repairs, and the writing of text.

May import `outlines` and what is below it in `sitemapx.convert.formats`.
"""
