"""
Files on disk: atomic replacement of one or several, locks, and data that outgrows memory.

May import `json` and what is below it in `sitemapx.convert`.
"""
