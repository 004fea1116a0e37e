"""Tests of `sitemapx.submit.engines`."""
