"""Tests of `sitemapx.submit.transport`."""
