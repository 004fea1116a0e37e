"""Tests of `sitemapx.submit.journal`."""
