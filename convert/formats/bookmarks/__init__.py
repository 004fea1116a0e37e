"""
Bookmarks, as browsers export them: the HTML of Netscape's bookmark file.

May import `format` and what is below it in `sitemapx.convert.formats`.
"""
