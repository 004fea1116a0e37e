"""
HTTP: polite, cached, retried, and never into private networks unless allowed.

May import `formats` and what is below it in `sitemapx.convert`.
"""
