"""
Single values: URLs, dates, numbers, words.

May import `sitemapx.patterns`, and nothing else of `sitemapx.convert`.
"""
