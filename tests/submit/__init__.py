"""robots.txt and the search engines."""
