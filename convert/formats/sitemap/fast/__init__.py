"""
What the fast path has to know of sitemaps.

`grammar` is where it begins. May import `vocabulary`, and `regular` and what is below it in
`convert.formats`.
"""
