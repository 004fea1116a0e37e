"""
Convert between everything that search engines accept as a sitemap.

    sitemapx.convert   readers, the entry stream, writers: read, write, convert
    sitemapx.errors    what is raised on purpose

Nothing is imported here, so that `sitemapx --version` costs nothing.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
