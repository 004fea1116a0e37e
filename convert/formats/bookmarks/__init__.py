"""
Bookmarks exported by browsers, in the HTML of Netscape's bookmark file.

May import `format` and the layers below it in `sitemapx.convert.formats`.
"""
