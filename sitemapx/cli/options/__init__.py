"""
Options that several commands share.

May import `terminal`, and `sitemapx.settingsfile`.
"""
