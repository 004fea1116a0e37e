"""
Several processes for one conversion or check, and reading ahead.

May import `formats` and what is below it in `sitemapx.convert`.
"""
