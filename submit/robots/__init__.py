"""
robots.txt: the file as lines, its edits, and what crawlers read in it.

May import nothing else of `sitemapx.submit`.
"""
