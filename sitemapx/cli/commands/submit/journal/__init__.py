"""
The commands of `sitemapx submit` that show what the journal has, or repair it.

`status` also shows what search engines report (`inquiries`). May import `connections` and
`options` of `submit`, and what all of `sitemapx.cli.commands` may.
"""
