"""Tests of `sitemapx.check.fix`."""
