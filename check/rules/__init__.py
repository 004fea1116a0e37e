"""
The rules of `check`: a module for each subject, and the table of all rules in `registry`.

May import `live` and what is below it in `sitemapx.check`.
"""
