"""
The command `sitemapx publish`, which runs the commands of a deployment one after the other.

May import `commands`, `options`, `reports` and the layers below them in `sitemapx.cli`, and
`sitemapx.settingsfile`.
"""
