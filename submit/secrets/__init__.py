"""
Secrets: where they are kept, Google's tokens, and the masking of both in all output.

May import nothing else of `sitemapx.submit`.
"""
