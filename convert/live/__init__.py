"""What servers answer for the pages of a set; `sitemapx.convert.rules.live` judges it."""
