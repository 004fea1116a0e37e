"""
The rows of the table: what is compared, and what ratio is to be reached.

`table` has all; `check`, `shapes`, `web` and `worst` have those of one subject.
"""
