"""
JSON: reading documents value by value, and finding keys that decoders drop.

May import `streams` and the layers below it in `sitemapx.convert`.
"""
