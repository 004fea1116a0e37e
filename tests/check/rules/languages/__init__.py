"""Tests of `sitemapx.check.rules.languages`."""
