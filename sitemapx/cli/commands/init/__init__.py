"""
`sitemapx init`: the command, and the site generators whose settings it reads.

May import the same as the other commands.
"""
