"""Tests of `sitemapx.convert`, module by module, and of all kinds of bad input."""
