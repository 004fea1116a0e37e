"""Tests of `sitemapx.check.rules`."""
