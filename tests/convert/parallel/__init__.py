"""Tests of `sitemapx.convert.parallel`."""
