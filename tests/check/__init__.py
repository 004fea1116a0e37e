"""Tests of `sitemapx check`."""
