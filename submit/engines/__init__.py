"""
The search engines: their interface, their modules, and `registry`, the table of all engines.

Other packages add engines through the entry-point group `sitemapx.engines`: an entry point has the
name of the engine, and loads a class that implements `Engine`.

May import `secrets` and the layers below it in `sitemapx.submit`.
"""
