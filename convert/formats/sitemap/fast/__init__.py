"""
The fast path for sitemaps: blocks of items read by patterns, without an XML parser.

`regular` is where it begins; `backoff` decides whether it is tried. May import `vocabulary` and
`items`.
"""
