"""
Reports of findings: one module for each format, and the table of them in `registry`.

May import `terminal`.
"""
