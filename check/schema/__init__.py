"""
Validation against the official XML schemas, and their errors in plain words.

May import `api` and what is below it in `sitemapx.check`.
"""
