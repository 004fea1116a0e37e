"""
`sitemapx check`: the command in `command`, its output, explanations of rules, and `--fix`.

May import the same as the other commands.
"""
