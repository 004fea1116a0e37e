"""
Fixes the findings of a file by changing its bytes, and verifies the result before it is kept.

May import `checker` and the layers below it in `sitemapx.check`.
"""
