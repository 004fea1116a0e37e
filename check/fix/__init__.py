"""
Fixes: edits of a file's own bytes, each for a finding, and verified before they are kept.

May import `checker` and what is below it in `sitemapx.check`.
"""
