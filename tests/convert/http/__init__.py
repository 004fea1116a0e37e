"""Tests of `sitemapx.convert.http`."""
