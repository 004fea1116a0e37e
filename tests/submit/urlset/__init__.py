"""Tests of `sitemapx.submit.urlset`."""
