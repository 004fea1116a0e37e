"""Tests of `sitemapx.convert.steps`."""
