"""
Fixes: changes to the bytes of a file, each for a finding, verified before they are kept.

May import `checker` and what is below it in `sitemapx.check`.
"""
