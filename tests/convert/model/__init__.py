"""Tests of `sitemapx.convert.model`."""
