"""
CSV and TSV with a header.

May import `rows` and the layers below it in `sitemapx.convert.formats`.
"""
