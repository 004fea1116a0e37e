"""
The terminal: streams, progress, tables, error messages, help.

May import nothing else of `sitemapx.cli`.
"""
