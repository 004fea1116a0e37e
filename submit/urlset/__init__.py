"""
The set that is submitted: its sources, its URLs, and the fingerprints that show changes.

May import `journal` and what is below it in `sitemapx.submit`.
"""
