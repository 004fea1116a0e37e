"""
The engines of Google: sitemaps in Search Console, and the Indexing API.

`answers` reads the errors that all of its interfaces share. May import `engine`, `exchange`,
`reports` and what is below `sitemapx.submit.engines`.
"""
