"""
Reads secrets and requests Google's tokens, and masks both in all output.

May import nothing else of `sitemapx.submit`.
"""
