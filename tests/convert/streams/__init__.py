"""Tests of `sitemapx.convert.streams`."""
