"""
The commands: one module for each, imported when it is run.

May import everything else in `sitemapx.cli` but `app`: `submission`, `fixing`, `robots_edits` and
what is below them.
"""
