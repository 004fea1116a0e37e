"""Tests of `sitemapx.convert.sources`."""
