"""
A file while it is checked: the context and the observer of its reader, and its findings.

May import `edits` and what is below it in `sitemapx.check`.
"""
