"""
The search engines: one module for each, and the table of them in `registry`.

An engine is a module in this package and a line in that table. Engines of other packages join by
the entry-point group `sitemapx.engines`: an entry point named like the engine that loads an
`Engine` class. May import `secrets` and what is below it in `sitemapx.submit`.
"""
