"""
The dates of pages: the step that fills in `lastmod`, and where the dates come from.

May import `step` and what is below `steps` in `sitemapx.convert`.
"""
