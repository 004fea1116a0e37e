"""
`sitemapx diff`: the command in `command`, and the formats of its lists and reports.

May import the same as the other commands.
"""
