"""
The formats: one package for each, with its definition, reader, writer and fast path.

`format` and `pages` are the interface of formats and plug-ins, `registry` the table of formats,
`detection` finds the format of a file. The fast paths of XML share `regular`, feeds share `feeds`,
JSON Lines and CSV share `rows`, and writers share `writing`. May import `xml` and what is below it
in `sitemapx.convert`.
"""
