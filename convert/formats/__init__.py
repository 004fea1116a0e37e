"""
The formats: one package for each, with its definition, reader and writer.

`format`, `writer` and `pages` are the interface of formats and plug-ins; `registry` lists all
formats and detects that of a file. Readers of XML share `outlines`, feeds share `feeds`, and
formats of rows share `rows`. May import `xml` and what is below it in `sitemapx.convert`.
"""
