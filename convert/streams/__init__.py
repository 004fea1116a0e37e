"""
Streams of bytes: encodings, gzip, lines.

May import `model` and what is below it in `sitemapx.convert`.
"""
