"""
`sitemapx publish`: the commands that a deploy needs, one after the other.

No other command knows any. May import `commands`, `options`, `reports` and what is below them in
`sitemapx.cli`, and `sitemapx.settingsfile`.
"""
