"""
Inspection of a file while it is read, and merging of the results into the run.

May import `contents` and the layers below it in `sitemapx.check`.
"""
