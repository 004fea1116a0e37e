"""
The fast path of sitemaps: their grammar, patterns and values.

`grammar` is where it begins. May import `vocabulary`, and `regular` and what is below it in
`convert.formats`.
"""
