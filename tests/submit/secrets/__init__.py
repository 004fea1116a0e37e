"""Tests of `sitemapx.submit.secrets`."""
