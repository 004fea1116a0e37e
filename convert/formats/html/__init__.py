"""
HTML: a site map for people, on one page or on pages that link to each other.

Written only. `collection` puts the links in order, `plan` divides them into pages, `lists` makes
headings and nested lists of them, `page` and `template` the documents around those. May import
`format` and what is below it in `sitemapx.convert.formats`.
"""
