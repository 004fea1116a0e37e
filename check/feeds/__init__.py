"""
Validation of feeds and of their modules, by tables of the elements and their content.

May import `nodes` and the layers below it in `sitemapx.check`.
"""
