"""
`sitemapx check`: the command in `command`, its output, explanations of rules, and `--fix`.

May import what all of `sitemapx.cli.commands` may.
"""
