"""
robots.txt: the file as lines, its edits, its rules for crawlers, and lint.

May import nothing else of `sitemapx.submit`.
"""
