"""
Options that several commands share.

May import `terminal` of `sitemapx.cli`.
"""
