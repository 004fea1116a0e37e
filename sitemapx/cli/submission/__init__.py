"""
The parts of `sitemapx submit`: checks before sending, sending, and the table of outcomes.

May import `options` and what is below it in `sitemapx.cli`.
"""
