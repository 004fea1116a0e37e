"""
`sitemapx robots`: the group in `command`, and a module for each of its commands that fetch.

The edits are in `edits`, which runs without click. May import what all of `sitemapx.cli.commands`
may.
"""
