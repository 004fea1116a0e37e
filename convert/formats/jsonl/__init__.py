"""
JSON Lines (https://jsonlines.org): one entry in each line; or a JSON array of entries.

`sitemapjs` reads the objects of sitemap.js. May import `sitemap.vocabulary`, `rows` and the layers
below it in `sitemapx.convert.formats`.
"""
