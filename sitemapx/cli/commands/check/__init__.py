"""
`sitemapx check`: the command itself in `command`, and what it does with `--fix`.

May import what all of `sitemapx.cli.commands` may.
"""
