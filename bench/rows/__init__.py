"""
Rows of the table: comparisons and their goals.

`table` combines them; `check`, `shapes`, `web` and `worst` have those of one subject.
"""
