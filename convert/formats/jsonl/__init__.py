"""
JSON Lines (https://jsonlines.org): one entry in each line, without loss.

May import `rows` and what is below it in `sitemapx.convert.formats`.
"""
