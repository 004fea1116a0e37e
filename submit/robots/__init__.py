"""
Reads, edits and lints robots.txt, and evaluates its rules for crawlers.

May import nothing else of `sitemapx.submit`.
"""
