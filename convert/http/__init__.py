"""
HTTP requests: throttled, retried, cached if wanted, and by default only to public IP addresses.

May import `formats` and the layers below it in `sitemapx.convert`.
"""
