"""Tests of `sitemapx.check.schema`."""
