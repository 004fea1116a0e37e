"""
Suppressions: findings that a check hides, by a baseline or since a file is allowed to have them.

May import `selection`, `findings`, and `sitemapx.convert`.
"""
