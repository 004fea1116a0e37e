"""
The report as one HTML page: the page itself in `page`, its figures and elements.

May import `writer` and `terminal`.
"""
