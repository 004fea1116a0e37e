"""
The journal: the URLs that each search engine has accepted, and those that are due.

May import `settings` and the layers below it in `sitemapx.submit`.
"""
