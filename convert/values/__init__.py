"""
Single values: URLs, dates, numbers, words.

May import nothing else of `sitemapx.convert`, and `sitemapx.patterns`.
"""
