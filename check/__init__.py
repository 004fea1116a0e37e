"""
Find what is wrong with sitemaps, feeds and lists, and fix it.

`checker` runs a check. The rules are in `rules`, validation against the official schemas in
`schema`, the check of published pages in `live`, and repairs in `fix`. May import
`sitemapx.convert` and, of `sitemapx.submit`, only `sitemapx.submit.robots`.
"""
