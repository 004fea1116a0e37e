"""
Keep robots.txt right and tell search engines what changed.

    robots.RobotsFile   robots.txt as its lines: parse, edit, bytes
"""

from sitemapx.submit.robots import RobotsFile, SitemapLine

__all__ = ["RobotsFile", "SitemapLine"]
