"""Tests of `sitemapx.submit`: robots.txt and search engines."""
