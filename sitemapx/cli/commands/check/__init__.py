"""
`sitemapx check`: the command itself in `command`, its output, its rules in words, and `--fix`.

May import what all of `sitemapx.cli.commands` may.
"""
