"""
Transports: the network with retries and pauses, or a dry run instead.

May import `engines` and the layers below it in `sitemapx.submit`.
"""
