"""Tests of `sitemapx.submit.robots`."""
