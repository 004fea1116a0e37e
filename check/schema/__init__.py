"""
Validation against the official XML schemas, with errors in plain words.

May import `api` and what is below it in `sitemapx.check`.
"""
