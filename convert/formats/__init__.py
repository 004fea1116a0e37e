"""
The formats: a package for each, or for variants of one, with reader and writer.

`format`, `writer` and `pages` are the interface of formats and plug-ins; `table` describes the
built-in formats, and `registry` finds a format by name or detects it from the contents of a file.
Sitemaps and XML feeds share `urlreader`, feeds share `feeds`, and formats of rows share `rows`. May
import `xml` and the layers below it in `sitemapx.convert`.
"""
