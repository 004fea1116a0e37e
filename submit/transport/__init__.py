"""
Transports: the network with retries and pauses, or a dry run instead.

May import `engines` and what is below it in `sitemapx.submit`.
"""
