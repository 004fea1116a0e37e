"""
Keep robots.txt right and tell search engines what changed.

    robots.RobotsFile   robots.txt as its lines: edit, bytes
    robotscheck.check   what crawlers misread in it, and which pages it disallows
    engines             who can be told, each a module; settings and choosing: who is
    journal, records    what was sent, and what engines know since then
    reading, listing    a set of URLs as it is now, beside what engines know
    submitting.Run      tells an engine what is due, batch by batch (submission)
    sender              the network, with patience; secrets: what nobody else sees
    guard               what speaks against submitting
"""

from sitemapx.submit.robots import RobotsFile, SitemapLine

__all__ = ["RobotsFile", "SitemapLine"]
