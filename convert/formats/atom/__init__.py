"""
Atom 1.0 (https://www.rfc-editor.org/rfc/rfc4287).

May import `feeds` and the layers below it in `sitemapx.convert.formats`.
"""
