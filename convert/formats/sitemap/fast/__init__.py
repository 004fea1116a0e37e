"""
Fast paths for regular sitemaps: by pattern (`plain`), and by template (`templates`).

A path that a block does not fit gives it back to the parser; `backoff` decides which is tried.
May import `vocabulary`.
"""
