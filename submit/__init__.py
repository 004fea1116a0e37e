"""
Keep robots.txt right and tell search engines what changed.

    robots.RobotsFile   robots.txt as its lines: edit, bytes
    robotscheck.check   what crawlers misread in it, and which pages it disallows
"""

from sitemapx.submit.robots import RobotsFile, SitemapLine

__all__ = ["RobotsFile", "SitemapLine"]
