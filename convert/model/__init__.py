"""
The data model: entries, batches of entries, documents, problems.

May import `arrow` and `values`.
"""
