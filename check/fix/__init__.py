"""
Repairs: edits of the source's own bytes, each for a finding, verified before they are kept.

May import `checker` and what is below it in `sitemapx.check`.
"""
