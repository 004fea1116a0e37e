"""
Secrets: where they are stored, Google's tokens, and masking of both in all output.

May import nothing else of `sitemapx.submit`.
"""
