"""
The formats: one package for each, with its definition, reader and writer.

`format` and `pages` are the interface of formats and plug-ins, `registry` the table of formats,
`detection` finds the format of a file. Readers of XML share `outlines`, feeds share `feeds`, JSON
Lines and CSV share `rows`, and writers share `writer`. May import `xml` and what is below it
in `sitemapx.convert`.
"""
