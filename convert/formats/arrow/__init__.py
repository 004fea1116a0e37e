"""
Arrow IPC streams (https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format).

`columnar` reads the rows of any table of columns. May import `csv.header`, `rows` and the layers
below it in `sitemapx.convert.formats`, and `arrow`.
"""
