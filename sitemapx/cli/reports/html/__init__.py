"""
The report as one HTML page, made by `page`, with plots and elements from `figures`.

May import `charts`, `writer` and `terminal`.
"""
