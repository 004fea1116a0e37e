"""Tests of `sitemapx.cli.commands`."""
