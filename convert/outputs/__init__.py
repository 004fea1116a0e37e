"""
Outputs: files, sets of files with an index, standard output, storage.

May import `sources` and what is below it in `sitemapx.convert`.
"""
