"""
Edits of a source's own bytes, each the one right answer to a finding.

May import `schema` and what is below it in `sitemapx.check`.
"""
