"""
`sitemapx robots`: the group in `command`, and a module for each command that fetches.

Edits, in `edits`, can run without click. May import the same as the other commands.
"""
