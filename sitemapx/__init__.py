"""
Convert, check and submit sitemaps.

    sitemapx.convert   read and write sitemaps, feeds and URL lists
    sitemapx.check     validate and fix them
    sitemapx.submit    edit robots.txt, notify search engines, keep a journal of submissions
    sitemapx.cli       the command line
    sitemapx.spark     read and write sitemaps with Apache Spark
    sitemapx.errors    the exceptions
"""
# May import nothing, so that `sitemapx --version` starts fast.

__all__ = ["__version__"]

__version__ = "0.1.0"
