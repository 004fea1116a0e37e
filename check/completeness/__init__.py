"""
What sitemaps must be complete against: the built site, and a list of required URLs.

May import `live` and what is below it in `sitemapx.check`.
"""
