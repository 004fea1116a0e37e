"""
One module a format: a class whose objects turn entries into bytes, and never see a file.

See `sitemapx.convert.formats.Writer` for what they have in common.
"""
