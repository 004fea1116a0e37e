"""
RSS 2.0, 1.0 and Media RSS (https://www.rssboard.org/rss-specification).

May import `feeds` and the layers below it in `sitemapx.convert.formats`.
"""
