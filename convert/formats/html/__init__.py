"""
HTML: a site map for people, on one page or on pages that link to each other.

Write-only. `collection` sorts the links, `plan` divides them into pages, `lists` renders headings
and nested lists, and `template` fills in the user's templates. May import `format` and the layers
below it in `sitemapx.convert.formats`.
"""
