"""
CSV with a header.

May import `rows` and what is below it in `sitemapx.convert.formats`.
"""
