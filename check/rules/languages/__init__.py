"""
The rules about versions of a page in other languages, and the codes of languages and countries.

May import what is below `live` in `sitemapx.check`.
"""
