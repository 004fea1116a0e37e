"""
The rules of `check`: a module for each subject, and the table of all rules in `registry`.

May import `live` and the layers below it in `sitemapx.check`.
"""
