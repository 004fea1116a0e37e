"""Tests of `sitemapx.check.completeness`."""
