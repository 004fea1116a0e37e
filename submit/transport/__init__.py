"""
Transports: the network with retries and pauses, and a dry run in its place.

May import `engines` and what is below it in `sitemapx.submit`.
"""
