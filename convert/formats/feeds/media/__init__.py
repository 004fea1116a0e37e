"""
Media RSS (https://www.rssboard.org/media-rss): media objects as videos and images of an entry.

May import `handlers` and `writing` of the package around it.
"""
