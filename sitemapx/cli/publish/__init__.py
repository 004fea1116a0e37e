"""
The command `sitemapx publish`, which runs the commands of a deployment one after the other.

May import `commands` and the layers below it in `sitemapx.cli`.
"""
