"""Tests of `sitemapx.check.live`."""
