"""
Sources: from a path, URL or directory to a document, with indexes and pages followed.

May import `http`, `parallel` and what is below them in `sitemapx.convert`.
"""
