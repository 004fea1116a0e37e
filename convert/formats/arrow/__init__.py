"""
Arrow IPC streams and files: https://arrow.apache.org/docs/format/Columnar.html

`columnar` reads the rows of any table of columns. May import `csv.header`, `rows` and the layers
below it in `sitemapx.convert.formats`, and `arrow`.
"""
