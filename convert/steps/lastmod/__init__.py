"""
Dates of pages: the step that fills in `lastmod`, and its sources of dates.

May import `step` and what is below `steps` in `sitemapx.convert`.
"""
