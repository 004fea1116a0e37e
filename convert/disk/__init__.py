"""
Files on disk: atomic replacement of one file or several, locks, and data that outgrows memory.

May import `json` and the layers below it in `sitemapx.convert`.
"""
