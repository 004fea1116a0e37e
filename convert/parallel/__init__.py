"""
Worker processes for conversions and checks, and reading ahead.

May import `formats` and the layers below it in `sitemapx.convert`.
"""
