"""
The journal: which URLs each search engine has accepted, and what is due.

May import `settings` and what is below it in `sitemapx.submit`.
"""
