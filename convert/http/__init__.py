"""
HTTP requests: throttled, cached, retried, and never to private networks unless allowed.

May import `formats` and the layers below it in `sitemapx.convert`.
"""
