"""
The commands: a module for each, or a package if it has more parts, imported when it is run.

No command imports another. May import `options`, `reports` and what is below them in
`sitemapx.cli`, and `sitemapx.settingsfile`.
"""
