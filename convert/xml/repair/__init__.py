"""
Repairs of XML that is not well-formed: characters, references, namespaces, end tags.

May import `namespaces`, `parsers` and `tags` of `xml`, and the layers below `xml`.
"""
