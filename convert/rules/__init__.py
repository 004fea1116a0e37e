"""The rules of `sitemapx check`: a module a theme, and `table` for all of them."""
