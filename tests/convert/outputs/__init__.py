"""Tests of `sitemapx.convert.outputs`."""
