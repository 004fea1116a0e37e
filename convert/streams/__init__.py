"""
Streams of bytes: encodings, gzip, lines.

May import `model` and the layers below it in `sitemapx.convert`.
"""
