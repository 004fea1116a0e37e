"""
Repairs: edited copies of sources, verified before they replace the originals.

May import `checker` and what is below it in `sitemapx.check`.
"""
