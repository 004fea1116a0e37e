"""
Validation against the official XML schemas, with errors in plain words.

May import `api` and the layers below it in `sitemapx.check`.
"""
