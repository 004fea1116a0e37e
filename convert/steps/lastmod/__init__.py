"""
Dates of pages: the step that fills in `lastmod`, and its sources of dates.

May import `step` and the layers below `steps` in `sitemapx.convert`.
"""
