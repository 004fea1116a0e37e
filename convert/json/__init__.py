"""
JSON: documents value by value, and keys that decoders drop.

May import `streams` and what is below it in `sitemapx.convert`.
"""
