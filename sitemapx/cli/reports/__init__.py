"""
Reports of findings: a writer for each format, and the table of formats in `registry`.

May import `terminal` of `sitemapx.cli`.
"""
