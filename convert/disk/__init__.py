"""
Files on disk: atomic replacement, swapping of sets, locks, and data that outgrows memory.

May import `json` and what is below it in `sitemapx.convert`.
"""
