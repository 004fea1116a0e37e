"""
Cutting of XML documents into blocks of whole items, by the tags of the items and within limits.

May import `tags` of `xml`, and what is below `xml`.
"""
