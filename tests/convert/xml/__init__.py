"""Tests of `sitemapx.convert.xml`."""
