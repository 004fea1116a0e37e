"""
`sitemapx robots`: the group in `command`, and a module for each command that fetches.

Edits, in `edits`, run without click. May import what all of `sitemapx.cli.commands` may.
"""
