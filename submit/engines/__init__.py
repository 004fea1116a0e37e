"""
The search engines: a module for each, and a table of all in `registry`.

Other packages add engines through the entry-point group `sitemapx.engines`: an entry point has the
name of the engine, and loads a class that implements `Engine`.

May import `secrets` and what is below it in `sitemapx.submit`.
"""
