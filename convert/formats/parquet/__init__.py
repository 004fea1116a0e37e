"""
Parquet (https://parquet.apache.org/docs/file-format/): files of columns with statistics.

May import `arrow`, `rows` and the layers below it in `sitemapx.convert.formats`.
"""
