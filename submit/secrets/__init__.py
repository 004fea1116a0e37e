"""
Reads secrets, requests Google's tokens, and masks both in texts.

May import nothing else of `sitemapx.submit`.
"""
