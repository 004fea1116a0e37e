"""
Validation of RSS and Atom feeds and of their modules, by tables of the elements and their content.

May import `convert` and `patterns`, and the lower layers of `check`.
"""
