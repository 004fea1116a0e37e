"""
Sources: opens paths, URLs and directories as documents, and follows indexes and feed pages.

May import `http`, `parallel` and the layers below them in `sitemapx.convert`.
"""
