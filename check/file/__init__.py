"""
A file while it is checked: what is seen while it is read, and how that is merged and reported.

May import `contents` and what is below it in `sitemapx.check`.
"""
