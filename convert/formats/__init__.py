"""
The formats: a package for each, with its reader and writer.

`format`, `writer` and `pages` are the interface of formats and plug-ins; `table` describes all
formats, and `registry` finds a format by name or detects it from the contents of a file. Readers of
XML share `urlreader`, feeds share `feeds`, and formats of rows share `rows`. May import `xml` and
the layers below it in `sitemapx.convert`.
"""
