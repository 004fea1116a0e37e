"""
Convert, check and submit sitemaps.

    sitemapx.convert   read anything, write anything: read, write, convert
    sitemapx.check     find what is wrong, and fix it
    sitemapx.submit    robots.txt, search engines, the journal
    sitemapx.cli       the command line
    sitemapx.errors    exceptions that are raised on purpose

May import nothing, so that `sitemapx --version` costs nothing.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
