"""
Outputs: files, sets of files with an index, standard output, cloud storage.

May import `sources` and the layers below it in `sitemapx.convert`.
"""
