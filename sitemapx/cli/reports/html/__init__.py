"""
The report as a single HTML page: `page` builds the page, `figures` its plots and elements.

May import `charts` and `writer` of `reports`, and `terminal` of `sitemapx.cli`.
"""
