"""
The rules of `check`: one module for each subject, and one table of all rules in `registry`.

A rule sees a file through the protocol `sitemapx.check.api.File`. May import `live` and what is
below it in `sitemapx.check`.
"""
