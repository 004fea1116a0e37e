"""
`sitemapx publish`: runs the commands of a deployment one after the other.

May import `commands`, `options`, `reports` and what is below them in `sitemapx.cli`, and
`sitemapx.settingsfile`.
"""
