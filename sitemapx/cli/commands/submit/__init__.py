"""
`sitemapx submit`: the command itself in `command`, the parts of its run, and its other commands.

May import what all of `sitemapx.cli.commands` may.
"""
