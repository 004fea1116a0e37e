"""Tests of `sitemapx.convert`, module by module, and of bad input."""
