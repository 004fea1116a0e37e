"""
JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).

May import `feeds` and the layers below it in `sitemapx.convert.formats`.
"""
