"""Tests of `sitemapx.cli.reports`."""
