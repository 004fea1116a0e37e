"""
The commands: a module or package for each, imported when the command runs.

No command imports another. May import `options`, `reports` and the layers below them in
`sitemapx.cli`.
"""
