"""
The data model: entries, batches of them, documents, problems.

May import `arrow` and `values`.
"""
