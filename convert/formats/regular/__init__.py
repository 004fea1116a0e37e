"""
The fast path of formats in XML: blocks of items read by patterns, without an XML parser.

Each kind of element is taken out of the text of a block by a pattern, so that an item becomes a few
fields and marks. A format gives its patterns as a `grammar`; `blocks` is where reading begins, and
`backoff` decides whether it is tried. May import `writing` and what is below it in
`sitemapx.convert.formats`.
"""
