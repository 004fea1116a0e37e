"""Tests of `sitemapx.convert.values`."""
