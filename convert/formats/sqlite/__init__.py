"""
SQLite databases (https://www.sqlite.org/fileformat.html): a table with the columns of CSV.

May import `csv`, `rows` and the layers below it in `sitemapx.convert.formats`.
"""
