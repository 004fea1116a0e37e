"""
The set that is submitted: its sources, its URLs, and what tells that they changed.

May import `journal` and what is below it in `sitemapx.submit`.
"""
