"""Feeds: read as others read them, written so that others can."""
