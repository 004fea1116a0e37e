"""
The report as a single HTML page: `page` builds the page, `figures` its plots and elements.

May import `charts`, `writer` and `terminal`.
"""
