"""
The rules of `check`: a module or package for each subject, and a table of all in `registry`.

A rule sees a file through the protocol `sitemapx.check.api.File`. May import `completeness` and
what is below it in `sitemapx.check`.
"""
