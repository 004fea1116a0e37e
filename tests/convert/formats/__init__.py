"""Tests of `sitemapx.convert.formats`."""
